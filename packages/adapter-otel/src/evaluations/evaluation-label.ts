import { LEAK_FLAGS, UNCLEAN_FLAGS, ZERO_TOLERANCE, type QualityFlag } from "@agent-step-value/sdk";

/** `gen_ai.evaluation.score.label` of a step value. */
export type EvaluationLabel = "gain" | "loss" | "flat" | "flagged";

/**
 * The label of a value in nats. A doubtful value is `flagged` whatever its sign: a dashboard that counts
 * gains must not count it. A value without a direction (surprise) is `flat` at zero and has no label above.
 */
export function evaluationLabel(
  value: number,
  directed: boolean,
  flags: readonly QualityFlag[],
): EvaluationLabel | undefined {
  if (isDoubtful(flags, "unclean")) return "flagged";
  if (Math.abs(value) <= ZERO_TOLERANCE) return "flat";
  if (!directed) return undefined;
  return value > 0 ? "gain" : "loss";
}

const LISTS: Readonly<Record<"leak" | "unclean", readonly QualityFlag[]>> = {
  leak: LEAK_FLAGS,
  unclean: UNCLEAN_FLAGS,
};

/** Whether a step has a flag of the list: leaks only, or all that keep it out of clean statistics. */
export function isDoubtful(flags: readonly QualityFlag[], list: "leak" | "unclean"): boolean {
  return flags.some((flag) => LISTS[list].includes(flag));
}
