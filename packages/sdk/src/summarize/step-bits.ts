import type { QualityFlag, StepMetrics } from "../schema/index.ts";
import { STEP } from "./step-columns.ts";

/** Flags that say a rationale gave something away. One such step taints its whole trajectory. */
export const LEAK_FLAGS: readonly QualityFlag[] = ["label_leak", "gold_leak"];

/**
 * Flags that keep a step out of the clean variant: the paper's floor scores, fallback scores, missing
 * labels and rationale leaks (section 4), and replies that could not be read as a score.
 */
export const UNCLEAN_FLAGS: readonly QualityFlag[] = [
  "floor",
  "no_logprobs",
  "refusal",
  "invalid_response",
  ...LEAK_FLAGS,
];

/** The bits of {@link STEP} for one step. */
export function stepBits(step: StepMetrics, flags: ReadonlySet<QualityFlag>, zeroTolerance: number): number {
  let bits = 0;
  if (flags.has("floor")) bits |= STEP.floored;
  if (LEAK_FLAGS.some((flag) => flags.has(flag))) bits |= STEP.leaked;
  if (UNCLEAN_FLAGS.some((flag) => flags.has(flag))) bits |= STEP.doubtful;
  if (step.label !== undefined) bits |= STEP.labelled;
  const { diagnostics } = step;
  if (diagnostics === undefined) return bits;
  bits |= STEP.measured;
  if (diagnostics.marginGain === undefined) return bits;
  bits |= STEP.hasGain;
  if (diagnostics.damage === true) bits |= STEP.damage;
  if (diagnostics.repair === true) bits |= STEP.repair;
  if (diagnostics.marginBefore! > zeroTolerance) bits |= STEP.targetFirst;
  return bits;
}
