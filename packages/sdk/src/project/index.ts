export { blockKindOf } from "./block-kind.ts";
export { projectState, type ProjectedState, type RedactionReport } from "./project-state.ts";
export {
  PROJECTION_VERSION,
  resolvePolicy,
  type PersonalDataRule,
  type ProjectionPolicy,
  type ResolvedPolicy,
} from "./projection-policy.ts";
export { createRedactionSession, type RedactionSession } from "./redaction-session.ts";
export {
  KEY_RULES,
  TEXT_RULES,
  type Detector,
  type KeyRule,
  type SpanFinder,
  type TextRule,
  type TextSpan,
  type TextTrigger,
} from "./rules/index.ts";
export { scanStored, scanTrajectoryRecord, type ScanOptions, type StoredHit } from "./scan-stored.ts";
export { boundBlocks } from "./size-bound.ts";
export { sliceBlocks, type Slice } from "./slice.ts";
export { isBlockState, stateBlocks } from "./state-blocks.ts";
