import { AsvError } from "../errors/index.ts";
import type { BatchForm } from "../evaluators/evaluator.ts";
import type { ScoreCache } from "../score/score-cache.ts";
import { checkCompatible, checkScoreOptions, type ScoringPlanOptions } from "../score/score-options.ts";

/** What both directions of a batch are told: what a scoring run is told, with a cache that stays. */
export interface BatchOptions extends ScoringPlanOptions {
  cache: ScoreCache;
}

/**
 * Checks what a scoring run would check before its first call, and that the evaluator can be asked by file.
 *
 * @throws AsvError `incompatible_evaluator`, InvalidArgumentError
 */
export function batchFormOf(options: BatchOptions): BatchForm {
  checkScoreOptions(options);
  checkCompatible(options);
  const { batch, settings } = options.evaluator;
  if (batch !== undefined) return batch;
  throw new AsvError(
    "incompatible_evaluator",
    `Evaluator ${settings.kind} cannot be asked through batch files; score directly (asv score).`,
    { evaluator: settings.kind },
  );
}
