export {
  AUDIT_SCHEMA,
  type AttributionAudit,
  type AuditedStep,
  type AuditRow,
  type AuditSample,
  type AuditTable,
  type AuditWarning,
} from "./attribution-audit.ts";
export type { AuditAxes } from "./audit-axes.ts";
export type { AuditChannel } from "./audit-channel.ts";
export { AUDIT_CHANNELS, auditChannels, type AuditOptions } from "./audit-channels.ts";
export {
  COMPARISON_SCHEMA,
  type BootstrapSettings,
  type ChannelComparison,
  type ChannelEffect,
  type ChannelSide,
  type ComparisonWarning,
  type GroupEffect,
  type MismatchReason,
  type PairCoverage,
  type PairedCrossings,
  type PairedStep,
  type PairMismatch,
  type ProtocolFieldDifference,
  type SignDisagreement,
  type StepPlace,
  type StepTypeEffect,
} from "./channel-comparison.ts";
export {
  compareChannels,
  createComparer,
  type ChannelComparer,
  type ChannelDescription,
  type ChannelInput,
  type CompareOptions,
} from "./compare-channels.ts";
export { encodeAudit, encodeComparison } from "./encode-comparison.ts";
