export { fileCache, makeDirectory } from "./file-cache/index.ts";
export { planScoring, type ScorePlan } from "./plan-scoring.ts";
export {
  rationaleSource,
  type RationaleSource,
  type StatePosition,
  type SwappedRationale,
} from "./rationale-source.ts";
export { readLabelScores, type LabelReading, type LabelScores } from "./read-label-scores.ts";
export type { PriceTable, ScoreBudget, Spending } from "./score-budget.ts";
export { memoryCache, type ScoreCache } from "./score-cache.ts";
export type { ScoreOptions, ScoringPlanOptions } from "./score-options.ts";
export type { ScoreOutcome, ScoreProgress } from "./score-outcome.ts";
export { score } from "./score.ts";
export { TOKEN_ESTIMATE } from "./token-estimate.ts";
