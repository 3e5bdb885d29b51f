import type { Trajectory } from "../schema/index.ts";
import type { AnswerScope } from "./answer-desk.ts";
import { enumerateStates, type StateUnit } from "./enumerate-states.ts";
import { checkCompatible, checkScoreOptions, type ScoringPlanOptions } from "./score-options.ts";
import { stateBuffer } from "./state-buffer.ts";
import { rationaleCall, scoredCall } from "./state-calls.ts";
import { rationaleReply } from "./stored-reply.ts";
import type { CallTokens } from "./token-estimate.ts";

/** What a scoring run will ask, before anything is asked. */
export interface ScorePlan {
  trajectories: number;
  /** Distinct states of each trajectory, summed. */
  states: number;
  /** Score records: states times mappings. */
  records: number;
  /** Calls the evaluator will get, exact as long as none fails. */
  scoredCalls: number;
  rationaleCalls: number;
  /** Replies that need no call: stored ones, and equal calls within the run. */
  cacheHits: number;
  /** UTF-16 units of all prompts to be sent, exact but for rationales not yet written. */
  promptChars: number;
  /** Estimated by `TOKEN_ESTIMATE`; a rationale not yet written counts with all its tokens. */
  promptTokens: number;
  /** Most tokens the evaluator can write. */
  completionTokens: number;
}

/**
 * The dry run of {@link score}: walks the same states, renders the same prompts and looks the same
 * keys up, but calls nothing. Keys of the whole run are held in memory, 64 characters each.
 *
 * Only one thing can make it too high: a rationale lost from a cache that still has its scores.
 *
 * @throws what `score` throws before its first call
 */
export async function planScoring(
  trajectories: AsyncIterable<Trajectory> | Iterable<Trajectory>,
  options: ScoringPlanOptions,
): Promise<ScorePlan> {
  checkScoreOptions(options);
  checkCompatible(options);
  const plan: ScorePlan = {
    trajectories: 0,
    states: 0,
    records: 0,
    scoredCalls: 0,
    rationaleCalls: 0,
    cacheHits: 0,
    promptChars: 0,
    promptTokens: 0,
    completionTokens: 0,
  };
  const counted = counting(trajectories, () => plan.trajectories++);
  const asked = new WeakMap<AnswerScope, Set<string>>();
  for await (const unit of enumerateStates(counted, options)) {
    plan.states++;
    plan.records += unit.rows.length;
    if (!asked.has(unit.scope)) asked.set(unit.scope, new Set());
    await planState(plan, options, unit, asked.get(unit.scope)!);
  }
  return plan;
}

async function planState(plan: ScorePlan, options: ScoringPlanOptions, unit: StateUnit, asked: Set<string>) {
  /** Counts one call; true when its reply is there without it. A hidden key is in no cache yet. */
  const known = async (key: string, hidden = false): Promise<boolean> => {
    if (asked.has(key) || (!hidden && (await unit.scope.cache.get(key)) !== undefined)) {
      plan.cacheHits++;
      return true;
    }
    asked.add(key);
    return false;
  };
  const add = (chars: number, { prompt, completion }: CallTokens) => {
    plan.promptChars += chars;
    plan.promptTokens += prompt;
    plan.completionTokens += completion;
  };
  const { buffer: policy } = options.protocol;
  let buffer: string | undefined = "";
  let unwritten = "";
  let extraTokens = 0;
  if (policy.kind === "generated") {
    const call = rationaleCall(options, unit, policy.maxTokens);
    if (!(await known(call.key))) {
      plan.rationaleCalls++;
      add(call.request.prompt.length, call.estimate);
    }
    const stored = await unit.scope.cache.get(call.key);
    buffer = stored === undefined ? undefined : rationaleReply(stored).text;
    // An unwritten rationale hides the key, but equal rationale prompts give equal scored prompts.
    unwritten = `${call.key} `;
    extraTokens = policy.maxTokens;
  } else {
    const own = stateBuffer(options, unit);
    if ("refused" in own) return;
    buffer = own.text;
  }
  for (const row of unit.rows) {
    const call = scoredCall(options, unit, row, buffer ?? "");
    const hidden = buffer === undefined;
    if (await known(hidden ? unwritten + call.key : call.key, hidden)) continue;
    plan.scoredCalls++;
    const { estimate } = call;
    add(
      call.request.prompt.length,
      hidden ? { ...estimate, prompt: estimate.prompt + extraTokens } : estimate,
    );
  }
}

async function* counting<T>(items: AsyncIterable<T> | Iterable<T>, count: () => void): AsyncGenerator<T> {
  for await (const item of items) {
    count();
    yield item;
  }
}
