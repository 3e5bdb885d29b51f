import type { AttributionAudit, ChannelComparison, Protocol, Summary } from "@agent-step-value/sdk";
import type { CollectedRuns } from "./collect/collect-runs.ts";
import type { Rationales } from "./collect/run-view.ts";

/** One channel of a report: a protocol, or the scores stored in the trajectories, and what it measured. */
export interface ReportChannel {
  /** For people, short: `direct`, `rationale-128`. */
  name: string;
  protocolId: string;
  /** Absent for stored scores, whose protocol nobody wrote down. */
  protocol?: Protocol;
  summary: Summary;
  /** What is to be said of the evaluator, for example that it is a demonstration. */
  cautions: readonly string[];
}

/** Everything an HTML report shows. Nothing is computed from the numbers but their layout. */
export interface ReportInput {
  /** Names of the files that were read, without folders. */
  sources: readonly string[];
  /** Program and version, `asv 0.1.0`. */
  generator: string;
  /** The channel that step values, figures and runs are about. */
  channel: ReportChannel;
  /**
   * Further channels over the same runs, in the order of every run's `inOthers`. One that differs in its label
   * mappings alone stands beside the main one in the step-type figure.
   */
  others?: readonly ReportChannel[];
  comparisons?: readonly ChannelComparison[];
  audit?: AttributionAudit;
  runs: CollectedRuns;
  /** Rationales of the main channel, where its protocol has a buffer. */
  rationales?: Rationales;
}
