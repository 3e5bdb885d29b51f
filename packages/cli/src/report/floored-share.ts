import type { Summary } from "@agent-step-value/sdk";

/**
 * Share of measured steps with a floored label; undefined without a measured step. Not from the counts of flags:
 * those are about all steps, and a step that could not be measured carries the flags of the state that could.
 */
export function flooredShare({ counts, stepTypes }: Summary): number | undefined {
  if (counts.measured === 0) return undefined;
  return stepTypes.reduce((sum, { floored }) => sum + floored, 0) / counts.measured;
}
