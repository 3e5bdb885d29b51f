import type { JsonObject } from "./json.ts";
import type { QualityFlag } from "./quality-flag.ts";
import type { ByCandidate } from "./trajectory.ts";

/** Schema version of a line of `steps.jsonl`. */
export const STEP_METRICS_SCHEMA = "asv.steps.v1";

/** Lower and upper end of a number that a floor leaves open; an absent end is unbounded. */
export interface OpenInterval {
  low?: number;
  high?: number;
}

/**
 * Diagnostics of one transition (paper section 3.3). Everything in nats and unrounded; what cannot
 * be computed is absent, never zero.
 */
export interface StepDiagnostics {
  /** Mean belief over the mappings, p̄, before the step. */
  beliefBefore: ByCandidate;
  beliefAfter: ByCandidate;
  /** Mean over mappings of the belief's entropy. */
  entropyBefore: number;
  entropyAfter: number;
  /** ΔH, eq. 2: positive when uncertainty fell. */
  entropyMovement: number;
  /** S, eq. 4. */
  surprise: number;
  /** Mean over mappings of ℓ(target) − max other. */
  marginBefore?: number;
  marginAfter?: number;
  /** G, eq. 3. */
  marginGain?: number;
  /** The target's margin went from positive to not positive. */
  damage?: boolean;
  /** The target's margin went from not positive to positive. */
  repair?: boolean;
  /** max − min of G over the mappings. */
  layoutSpread?: number;
  /** Where G can lie given that a floored label is only known to be small. */
  floorInterval?: OpenInterval;
  flags: QualityFlag[];
  extra?: JsonObject;
}

/** One line of `steps.jsonl`. `diagnostics` is absent for a step that could not be measured. */
export interface StepMetrics {
  trajectoryId: string;
  stepId: string;
  index: number;
  /** Step type: `action.type`. */
  action: string;
  protocolId: string;
  evaluatorKind: string;
  diagnostics?: StepDiagnostics;
  flags: QualityFlag[];
  /** A human verdict on this step, copied through. */
  label?: string;
  extra?: JsonObject;
}
