import { AsvError, InvalidArgumentError } from "../errors/index.ts";
import type { Evaluator } from "../evaluators/evaluator.ts";
import type { Protocol } from "../protocol/index.ts";
import { canonicalJson, type JsonValue } from "../schema/index.ts";
import type { RationaleSource } from "./rationale-source.ts";
import type { ScoreBudget } from "./score-budget.ts";
import type { ScoreCache } from "./score-cache.ts";
import type { ScoreOutcome, ScoreProgress } from "./score-outcome.ts";

/** The part of a scoring run that decides which calls there are; a dry run takes the same. */
export interface ScoringPlanOptions {
  protocol: Protocol;
  evaluator: Evaluator;
  /** Replies kept between runs. Without one, equal calls are shared within a trajectory only. */
  cache?: ScoreCache;
  /** Score sets that were not frozen after review; every record then carries the flag. Default false. */
  allowUnreviewed?: boolean;
  /** What a protocol with the swapped buffer takes its rationales from. */
  rationales?: RationaleSource;
  /** Only the states of one of `count` parts, 0-based; the parts together are the whole. */
  shard?: { index: number; count: number };
}

/** Everything {@link score} can be told. */
export interface ScoreOptions extends ScoringPlanOptions {
  budget?: ScoreBudget;
  /** Evaluator calls at a time. Default 4. */
  concurrency?: number;
  signal?: AbortSignal;
  /** Told after each state, in order. */
  onProgress?: (progress: ScoreProgress) => void;
  /** Told once, before the last record's reader is told that there is no more. */
  onEnd?: (outcome: ScoreOutcome) => void;
  /** What a failed call does: an unscored record (default), or the end of the run. */
  onFailure?: "record" | "throw";
  /**
   * What a rationale does that leaks a label, asserts an answer key or is empty: `flag` (default)
   * marks the records, `error` leaves its state unscored.
   */
  rationalePolicy?: "flag" | "error";
  /** Records expected, from a plan; passed on to `onProgress`. */
  total?: number;
}

export const DEFAULT_CONCURRENCY = 4;

/** @throws InvalidArgumentError for an option out of range */
export function checkScoreOptions({ concurrency = DEFAULT_CONCURRENCY, shard }: Partial<ScoreOptions>): void {
  if (!Number.isSafeInteger(concurrency) || concurrency < 1 || concurrency > 1000) {
    throw new InvalidArgumentError("concurrency", "an integer from 1 to 1000", concurrency);
  }
  if (shard === undefined) return;
  if (!Number.isSafeInteger(shard.count) || shard.count < 1) {
    throw new InvalidArgumentError("shard.count", "a positive integer", shard.count);
  }
  if (!Number.isSafeInteger(shard.index) || shard.index < 0 || shard.index >= shard.count) {
    throw new InvalidArgumentError("shard.index", `an integer from 0 to ${shard.count - 1}`, shard.index);
  }
}

/**
 * Refuses, before any call, a protocol that this evaluator cannot carry out.
 *
 * @throws AsvError `incompatible_evaluator`, naming what does not fit
 */
export function checkCompatible({ protocol, evaluator, rationales }: ScoringPlanOptions): void {
  const { settings, capabilities } = evaluator;
  const refuse = (problem: string) => {
    throw new AsvError(
      "incompatible_evaluator",
      `Protocol ${protocol.name} and evaluator ${settings.kind}: ${problem}`,
      {
        protocolId: protocol.id,
        evaluator: settings.kind,
      },
    );
  };
  const keys = new Set([...Object.keys(protocol.evaluator), ...Object.keys(settings)]);
  for (const key of [...keys].toSorted()) {
    const [wanted, given] = [protocol.evaluator, settings].map((side) => shown(Reflect.get(side, key)));
    if (wanted !== given)
      refuse(`the protocol sets evaluator.${key} to ${wanted}, the evaluator has ${given}.`);
  }
  const { kind } = protocol.buffer;
  if (kind === "swapped" && rationales === undefined) {
    refuse("the buffer is swapped, and no rationales of another run were given (option rationales).");
  }
  if (kind !== "none" && !capabilities.usesLabels) {
    refuse(`the buffer ${kind} would change nothing, since this evaluator is sent no prompt.`);
  }
  if (kind === "generated" && (!capabilities.rationale || evaluator.rationale === undefined)) {
    refuse("the buffer is generated, but the evaluator writes no rationale.");
  }
  if (protocol.projection.slice !== "full" && !capabilities.slices) {
    refuse(`the evaluator cannot score the slice ${protocol.projection.slice}.`);
  }
}

function shown(value: unknown): string {
  return value === undefined ? "nothing" : canonicalJson(value as JsonValue);
}
