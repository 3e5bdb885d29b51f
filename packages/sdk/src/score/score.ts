import { protocolRecord } from "../protocol/index.ts";
import type { ScoreFileRecord, Trajectory } from "../schema/index.ts";
import { createAnswerDesk } from "./answer-desk.ts";
import { createCallLimiter } from "./call-limiter.ts";
import { enumerateStates } from "./enumerate-states.ts";
import { isFatal } from "./failure-reason.ts";
import { orderedResults } from "./ordered-results.ts";
import { createLedger } from "./score-budget.ts";
import {
  checkCompatible,
  checkScoreOptions,
  DEFAULT_CONCURRENCY,
  type ScoreOptions,
} from "./score-options.ts";
import type { ScoreOutcome } from "./score-outcome.ts";
import { prepareState } from "./score-state.ts";
import type { StateRun } from "./state-run.ts";

/** States prepared ahead of the one that is read next, as a multiple of the concurrency. */
const READ_AHEAD = 2;

/**
 * Replays frozen states through an evaluator (paper section 3.2): first the protocol's record, then,
 * state by state along each trajectory, its rationale if the protocol has one, and one score or
 * unscored record a label mapping. n chained steps with B mappings cost (n + 1) B scored calls and
 * n + 1 rationales, fewer where a cache holds the reply. The actor is never run, and the target is
 * never looked at.
 *
 * Order and bytes of the records depend on input, protocol and replies alone, not on concurrency or
 * time. Memory does not grow with the input. A budget that is reached leaves the remaining states
 * unscored, apart from those a cache can answer; an abort ends the records early. In both cases the
 * generator returns normally and the outcome says so.
 *
 * @returns a generator of records whose return value is the outcome, which `onEnd` is told as well
 * @throws AsvError `incompatible_evaluator` before any call, `unfrozen_candidates`,
 * `evaluator_failed` for a failure that all calls would share or with `onFailure: "throw"`;
 * InvalidArgumentError for an option out of range
 */
export async function* score(
  trajectories: AsyncIterable<Trajectory> | Iterable<Trajectory>,
  options: ScoreOptions,
): AsyncGenerator<ScoreFileRecord, ScoreOutcome, undefined> {
  checkScoreOptions(options);
  checkCompatible(options);
  const { concurrency = DEFAULT_CONCURRENCY, onFailure = "record" } = options;
  const stop = new AbortController();
  const unlink = follow(stop, options.signal);
  const { signal } = stop;
  const ledger = createLedger(options.budget);
  let fatal: { error: unknown } | undefined;
  const desk = createAnswerDesk(
    ledger,
    createCallLimiter(concurrency, signal),
    signal,
    (error) => onFailure === "throw" || isFatal(error),
    (error) => {
      fatal ??= { error };
      stop.abort(error);
    },
  );
  const run: StateRun = { options, desk, ledger, signal };
  const count = { states: 0, scored: 0, unscored: 0 };
  const done = () => count.scored + count.unscored;

  try {
    yield protocolRecord(options.protocol);
    const results = orderedResults(jobs(trajectories, run), concurrency * READ_AHEAD, () => stop.abort());
    for await (const records of results) {
      count.states++;
      for (const record of records) {
        if (record.record === "score") count.scored++;
        if (record.record === "unscored") count.unscored++;
        yield record;
      }
      const { calls, tokens, usd } = ledger.spending();
      options.onProgress?.({
        done: done(),
        ...(options.total !== undefined && { total: options.total }),
        calls,
        cacheHits: desk.hits,
        tokens: tokens.prompt + tokens.completion,
        ...(usd !== undefined && { usd }),
      });
    }
  } catch (error) {
    // Calls that a fatal failure cut short end with errors of their own; the failure is the reason.
    if (options.signal?.aborted !== true) throw fatal === undefined ? error : fatal.error;
  } finally {
    unlink();
  }
  const stoppedBy = options.signal?.aborted === true ? "interrupted" : ledger.reached && "budget";
  const outcome: ScoreOutcome = {
    ...count,
    ...ledger.spending(),
    cacheHits: desk.hits,
    ...(stoppedBy !== undefined && { stoppedBy }),
  };
  options.onEnd?.(outcome);
  return outcome;
}

/** One job a state, prepared in order. Ends when the signal fires. */
async function* jobs(trajectories: Parameters<typeof score>[0], run: StateRun) {
  for await (const unit of enumerateStates(trajectories, run.options)) {
    if (run.signal.aborted) return;
    yield await prepareState(run, unit);
  }
}

/** Lets `stop` fire with the caller's signal; returns how to end that. */
function follow(stop: AbortController, signal: AbortSignal | undefined): () => void {
  if (signal === undefined) return () => {};
  const fire = () => stop.abort(signal.reason);
  if (signal.aborted) fire();
  signal.addEventListener("abort", fire, { once: true });
  return () => signal.removeEventListener("abort", fire);
}
