import type { ScoreRequest } from "../evaluators/evaluator.ts";
import type { JsonValue, MappingRow, ScoreFileRecord } from "../schema/index.ts";
import { budgetReason, type Claim } from "./answer-desk.ts";
import type { StateUnit } from "./enumerate-states.ts";
import type { StateBuffer } from "./rationale-buffer.ts";
import type { Ticket } from "./score-budget.ts";
import { scoredCall, type PlannedCall } from "./state-calls.ts";
import { scoreRecord, unscoredRecord } from "./state-records.ts";
import type { StateRun } from "./state-run.ts";
import { failureReason } from "./failure-reason.ts";
import { replyScores, scoredReply, storable, usageOf, type ReplyScores } from "./stored-reply.ts";

/** The scored call of one label mapping, and where its reply will come from. */
export type RowClaim = { row: MappingRow; call: PlannedCall<ScoreRequest>; claim: Claim };

/** Claims of all mappings, one after the other. `tickets` were taken before the buffer was known. */
export async function claimRows(
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

/** The records of a state whose calls are claimed: those of its buffer, then one a mapping. */
export async function finishRows(
  run: StateRun,
  unit: StateUnit,
  buffer: StateBuffer,
  claims: readonly RowClaim[],
): Promise<ScoreFileRecord[]> {
  const { protocol, evaluator } = run.options;
  const rows = await Promise.all(
    claims.map(async ({ row, call, claim }) => {
      const { request } = call;
      const read = (value: JsonValue) =>
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
      const { reading, problem } = attempt(() => read(answer.value));
      if (reading === undefined) return unscoredRecord(unit, protocol.id, row, problem);
      return scoreRecord({
        unit,
        protocol,
        evaluator: evaluator.settings,
        row,
        reply: scoredReply(answer.value),
        reading,
        promptSha256: call.promptSha256,
        rationaleSha256: buffer.rationaleSha256,
        flags: buffer.flags,
      });
    }),
  );
  return [...buffer.records, ...rows];
}

/** A reply from a cache was checked when it was stored, but the file may have changed since. */
function attempt(
  read: () => ReplyScores,
): { reading: ReplyScores; problem?: never } | { reading?: never; problem: string } {
  try {
    return { reading: read() };
  } catch (error) {
    return { problem: failureReason(error) };
  }
}

/** The records of a state that cannot be scored at all. */
export function unscoredRows(
  { options }: StateRun,
  unit: StateUnit,
  reason: string,
  records: readonly ScoreFileRecord[] = [],
): ScoreFileRecord[] {
  return [...records, ...unit.rows.map((row) => unscoredRecord(unit, options.protocol.id, row, reason))];
}
