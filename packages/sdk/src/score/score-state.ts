import type { RationaleRequest } from "../evaluators/evaluator.ts";
import type { ScoreFileRecord } from "../schema/index.ts";
import type { Claim } from "./answer-desk.ts";
import type { StateUnit } from "./enumerate-states.ts";
import { fetchRationale, rationaleBuffer } from "./rationale-buffer.ts";
import type { Ticket } from "./score-budget.ts";
import { claimRows, finishRows, unscoredRows } from "./score-rows.ts";
import { stateBuffer } from "./state-buffer.ts";
import { rationaleCall, scoredCall, type PlannedCall } from "./state-calls.ts";
import type { StateRun } from "./state-run.ts";

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
    const buffer = stateBuffer(run.options, unit);
    if ("refused" in buffer) return async () => unscoredRows(run, unit, buffer.refused, buffer.records);
    const claims = await claimRows(run, unit, buffer.text);
    return () => finishRows(run, unit, buffer, claims);
  }
  const call = rationaleCall(run.options, unit, protocol.buffer.maxTokens);
  const claim = await run.desk.claim(unit.scope, call.key, call.estimate);
  if (claim.from === "cache") {
    const answer = await run.desk.answer(claim, fetchRationale(run, call));
    const buffer = rationaleBuffer(run, unit, call, answer);
    if ("refused" in buffer) return async () => unscoredRows(run, unit, buffer.refused, buffer.records);
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
  if ("refused" in buffer) {
    for (const ticket of tickets ?? []) ticket?.release();
    return unscoredRows(run, unit, buffer.refused, buffer.records);
  }
  return finishRows(run, unit, buffer, await claimRows(run, unit, buffer.text, tickets));
}
