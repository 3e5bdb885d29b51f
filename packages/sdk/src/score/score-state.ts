import { checkRationale } from "../protocol/index.ts";
import { sha256Hex, type MappingRow, type QualityFlag, type ScoreFileRecord } from "../schema/index.ts";
import { budgetReason, type Answer, type AnswerDesk, type Claim } from "./answer-desk.ts";
import type { StateUnit } from "./enumerate-states.ts";
import type { Ledger, Ticket } from "./score-budget.ts";
import type { ScoreOptions } from "./score-options.ts";
import { rationaleCall, scoredCall, type PlannedCall } from "./state-calls.ts";
import { rationaleRecord, scoreRecord, unscoredRecord } from "./state-records.ts";
import {
  checkRationaleReply,
  rationaleReply,
  replyScores,
  scoredReply,
  storable,
  usageOf,
} from "./stored-reply.ts";
import { stateBuffer } from "./state-buffer.ts";
import type { RationaleRequest, ScoreRequest } from "../evaluators/evaluator.ts";

/** What scoring one state needs of its run. */
export interface StateRun {
  options: ScoreOptions;
  desk: AnswerDesk;
  ledger: Ledger;
  signal: AbortSignal;
}

/** Text before the label mapping, and what it adds to each record. */
interface Buffer {
  text: string;
  flags: readonly QualityFlag[];
  rationaleSha256?: string;
  records: readonly ScoreFileRecord[];
}

type RowClaim = { row: MappingRow; call: PlannedCall<ScoreRequest>; claim: Claim };

/**
 * Prepares one state: looks replies up and takes budget, in the order of the work. What it returns
 * does the waiting, and may run beside other states; its records come in a fixed order: the
 * rationale, then one a mapping.
 *
 * A rationale that is not known yet hides the keys of its scored calls. Their tickets are taken
 * now and given back if an equal reply turns up, so that a budget ends at the same call at any speed.
 */
export async function prepareState(
  run: StateRun,
  unit: StateUnit,
): Promise<() => Promise<ScoreFileRecord[]>> {
  const { protocol } = run.options;
  if (protocol.buffer.kind !== "generated") {
    const buffer: Buffer = { text: stateBuffer(protocol.buffer, unit), flags: [], records: [] };
    const claims = await claimRows(run, unit, buffer.text);
    return () => finishRows(run, unit, buffer, claims);
  }
  const call = rationaleCall(run.options, unit, protocol.buffer.maxTokens);
  const claim = await run.desk.claim(unit.scope, call.key, call.estimate);
  if (claim.from === "cache") {
    const answer = await run.desk.answer(claim, fetchRationale(run, call));
    const buffer = rationaleBuffer(run, unit, call, answer);
    if (typeof buffer === "string") return async () => unscoredRows(run, unit, buffer);
    const claims = await claimRows(run, unit, buffer.text);
    return () => finishRows(run, unit, buffer, claims);
  }
  if (claim.from === "nowhere") return async () => unscoredRows(run, unit, claim.reason);
  if (claim.from === "same_call") return () => afterTwin(run, unit, call, claim);
  const tickets = unit.rows.map((row) => run.ledger.reserve(scoredCall(run.options, unit, row, "").estimate));
  return () => asFirstUnit(unit, call.key, () => withRationale(run, unit, call, claim, tickets));
}

/** Waits for the state that asks for the same rationale, so that its scored replies are there too. */
async function afterTwin(run: StateRun, unit: StateUnit, call: PlannedCall<RationaleRequest>, claim: Claim) {
  await unit.scope.firstUnits.get(call.key)?.catch(() => {});
  return withRationale(run, unit, call, claim, undefined);
}

/** Registers a running state under its rationale key until it ends. */
function asFirstUnit<T>({ scope }: StateUnit, key: string, work: () => Promise<T>): Promise<T> {
  const result = work().finally(() => scope.firstUnits.delete(key));
  scope.firstUnits.set(key, result);
  return result;
}

async function withRationale(
  run: StateRun,
  unit: StateUnit,
  call: PlannedCall<RationaleRequest>,
  claim: Claim,
  tickets: readonly (Ticket | undefined)[] | undefined,
): Promise<ScoreFileRecord[]> {
  const answer = await run.desk.answer(claim, fetchRationale(run, call));
  const buffer = rationaleBuffer(run, unit, call, answer);
  if (typeof buffer === "string") {
    for (const ticket of tickets ?? []) ticket?.release();
    return unscoredRows(run, unit, buffer);
  }
  return finishRows(run, unit, buffer, await claimRows(run, unit, buffer.text, tickets));
}

/** Claims of all mappings, one after the other. `tickets` were taken before the buffer was known. */
async function claimRows(
  { options, desk, ledger }: StateRun,
  unit: StateUnit,
  buffer: string,
  tickets?: readonly (Ticket | undefined)[],
): Promise<RowClaim[]> {
  const claims: RowClaim[] = [];
  try {
    for (const [b, row] of unit.rows.entries()) {
      const call = scoredCall(options, unit, row, buffer);
      const ticket = tickets?.[b];
      const refused = tickets !== undefined && ticket === undefined;
      const claim: Claim = refused
        ? { from: "nowhere", reason: budgetReason(ledger) }
        : await desk.claim(unit.scope, call.key, call.estimate, ticket);
      claims.push({ row, call, claim });
    }
  } catch (error) {
    // Nobody will make these calls any more; whoever waits for one of them must not wait for ever.
    for (const { claim } of claims) {
      if (claim.from === "evaluator") claim.settle({ ok: false, reason: "interrupted" });
    }
    throw error;
  }
  return claims;
}

async function finishRows(
  run: StateRun,
  unit: StateUnit,
  buffer: Buffer,
  claims: readonly RowClaim[],
): Promise<ScoreFileRecord[]> {
  const { protocol, evaluator } = run.options;
  const rows = await Promise.all(
    claims.map(async ({ row, call, claim }) => {
      const { request } = call;
      const read = (value: Parameters<typeof replyScores>[0]) =>
        replyScores(
          value,
          unit.candidates.map(({ id }) => id),
          request.labelToCandidate,
          protocol.normalisation,
        );
      const answer = await run.desk.answer(claim, {
        call: async () => storable(await evaluator.score({ ...request, signal: run.signal })),
        usage: usageOf,
        check: read,
      });
      if (!answer.ok) return unscoredRecord(unit, protocol.id, row, answer.reason);
      return scoreRecord({
        unit,
        protocol,
        evaluator: evaluator.settings,
        row,
        reply: scoredReply(answer.value),
        reading: read(answer.value),
        promptSha256: call.promptSha256,
        rationaleSha256: buffer.rationaleSha256,
        flags: buffer.flags,
      });
    }),
  );
  return [...buffer.records, ...rows];
}

function fetchRationale(run: StateRun, call: PlannedCall<RationaleRequest>) {
  const { evaluator } = run.options;
  return {
    call: async () => storable(await evaluator.rationale!({ ...call.request, signal: run.signal })),
    usage: usageOf,
    check: checkRationaleReply,
  };
}

/** The buffer a rationale reply gives, or why its state stays unscored. */
function rationaleBuffer(
  { options }: StateRun,
  unit: StateUnit,
  call: PlannedCall<RationaleRequest>,
  answer: Answer,
): Buffer | string {
  if (!answer.ok) return `rationale: ${answer.reason}`;
  const reply = rationaleReply(answer.value);
  const check = checkRationale({ ...reply, candidates: unit.candidates });
  const rejected =
    options.rationalePolicy === "error" ? check.flags.find((flag) => REJECTED.has(flag)) : undefined;
  if (rejected !== undefined) return `rationale: ${rejected}`;
  const record = rationaleRecord(unit, options.protocol.id, reply, check, call.promptSha256!);
  return { text: reply.text, flags: check.flags, rationaleSha256: sha256Hex(reply.text), records: [record] };
}

/** Rationale faults that leave a state unscored under the policy `error`. */
const REJECTED: ReadonlySet<QualityFlag> = new Set(["label_leak", "gold_leak", "empty_rationale"]);

function unscoredRows({ options }: StateRun, unit: StateUnit, reason: string): ScoreFileRecord[] {
  return unit.rows.map((row) => unscoredRecord(unit, options.protocol.id, row, reason));
}
