import type { RationaleRequest } from "../evaluators/evaluator.ts";
import { checkRationale } from "../protocol/index.ts";
import { sha256Hex, type QualityFlag, type ScoreFileRecord } from "../schema/index.ts";
import type { Answer, Fetch } from "./answer-desk.ts";
import type { StateUnit } from "./enumerate-states.ts";
import type { StateRun } from "./state-run.ts";
import type { PlannedCall } from "./state-calls.ts";
import { rationaleRecord } from "./state-records.ts";
import { checkRationaleReply, rationaleReply, storable, usageOf } from "./stored-reply.ts";

/** Text before the label mapping, and what it adds to each record. */
export interface StateBuffer {
  text: string;
  flags: readonly QualityFlag[];
  rationaleSha256?: string;
  records: readonly ScoreFileRecord[];
}

/** Why a state goes unscored, and what is recorded all the same. */
export interface RefusedBuffer {
  refused: string;
  records: readonly ScoreFileRecord[];
}

/** How the rationale of a call is fetched. */
export function fetchRationale(run: StateRun, call: PlannedCall<RationaleRequest>): Fetch {
  const { evaluator } = run.options;
  return {
    call: async () => storable(await evaluator.rationale!({ ...call.request, signal: run.signal })),
    usage: usageOf,
    check: checkRationaleReply,
  };
}

/** The buffer a rationale reply gives, or why its state stays unscored. */
export function rationaleBuffer(
  { options }: StateRun,
  unit: StateUnit,
  call: PlannedCall<RationaleRequest>,
  answer: Answer,
): StateBuffer | RefusedBuffer {
  if (!answer.ok) return { refused: `rationale: ${answer.reason}`, records: [] };
  const reply = rationaleReply(answer.value);
  const check = checkRationale({ ...reply, candidates: unit.candidates });
  const records = [rationaleRecord(unit, options.protocol.id, reply, check, call.promptSha256!)];
  const fault =
    options.rationalePolicy === "error" ? check.flags.find((flag) => FAULTS.has(flag)) : undefined;
  if (fault !== undefined) return { refused: `rationale: ${fault}`, records };
  return { text: reply.text, flags: check.flags, rationaleSha256: sha256Hex(reply.text), records };
}

/** Rationale faults that leave a state unscored under the policy `error`. */
const FAULTS: ReadonlySet<QualityFlag> = new Set(["label_leak", "gold_leak", "empty_rationale"]);
