export {
  emitEvaluations,
  type EmitEvaluationsOptions,
  type EmittedEvaluations,
  type EvaluationLogger,
  type EvaluationRecord,
} from "./emit-evaluations.ts";
export type { EvaluationLabel } from "./evaluation-label.ts";
export { recordedPlaces } from "./recorded-places.ts";
