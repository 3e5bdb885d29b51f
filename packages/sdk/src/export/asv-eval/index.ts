export { asvEvalFiles, type AsvEvalFiles } from "./asv-eval-files.ts";
export {
  applyBeliefFixture,
  decodeBeliefFixtureRow,
  type BeliefFixtureRow,
  type FixtureResult,
} from "./belief-fixture.ts";
export type { CostWeights } from "./cost-scalar.ts";
export type { GoldMetrics } from "./gold-metrics.ts";
export { scoredTrajectories } from "./scored-trajectories.ts";
export { asvEvalStateHash } from "./state-hash.ts";
export { asvEvalRows, type AsvComponents, type AsvEvalConfig, type AsvEvalRow } from "./step-row.ts";
export type { AsvEvalSummaryOptions } from "./summary-file.ts";
