export { belief } from "./belief.ts";
export { isDamage, isRepair } from "./damage-repair.ts";
export { BELIEF_SUM_TOLERANCE, diagnoseBeliefs, type TransitionBeliefs } from "./diagnose-beliefs.ts";
export {
  diagnoseTrajectory,
  type DiagnosedStep,
  type DiagnoseOptions,
  type TransitionIdentity,
} from "./diagnose-trajectory.ts";
export {
  diagnoseTransition,
  ZERO_TOLERANCE,
  type FlooredLabels,
  type TransitionScores,
} from "./diagnose-transition.ts";
export { entropyMovement, type EntropyMovement } from "./entropy-movement.ts";
export { beliefPivot, type BeliefPivot } from "./belief-pivot.ts";
export { floorInterval, type FlooredScores } from "./floor-interval.ts";
export { FLOORS, floorSensitivity, type FloorReading } from "./floor-sensitivity.ts";
export { layoutSpread } from "./layout-spread.ts";
export { marginGain } from "./margin-gain.ts";
export { margin } from "./margin.ts";
export { meanBelief } from "./mean-belief.ts";
export type { StepProbes } from "./measure-step.ts";
export { PROVIDED_PROTOCOL } from "./provided-scores.ts";
export {
  createScoreIndex,
  type IndexedProtocol,
  type IndexedScore,
  type ScoreIndex,
  type StateScores,
} from "./score-index.ts";
export { stepType } from "./step-circumstances.ts";
export { surprise, SURPRISE_EPSILON } from "./surprise.ts";
export { SURPRISE_EPSILONS, surpriseProbe, type SurpriseReading } from "./surprise-probe.ts";
export { temperatureProbe, TEMPERATURES, type TemperatureReading } from "./temperature-probe.ts";
