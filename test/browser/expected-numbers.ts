import type { JsonObject, StepMetrics } from "@agent-step-value/sdk";
import { shortText } from "../../packages/cli/src/html/markup/visible-text.ts";
import type { ExpectedNumbers } from "./number-checks.ts";

/** The parts of a summary file that a report shows. */
interface SummaryFile {
  margin_gain: {
    mean?: number;
    positive: number;
    zero: number;
    negative: number;
    damage: { count: number };
    repair: { count: number };
  };
  surprise?: { mean: number; max: number };
  entropy_movement?: { mean: number };
  step_types: { action: string; all_steps: number; mean?: number }[];
}

/** What a report about these files must show. */
export function expectedNumbers(summaryJson: JsonObject, steps: readonly StepMetrics[]): ExpectedNumbers {
  const { margin_gain: gain, surprise, entropy_movement, step_types } = summaryJson as unknown as SummaryFile;
  return {
    meanMarginGain: gain.mean,
    signs: gain.mean === undefined ? [] : [gain.positive, gain.zero, gain.negative],
    surprise: surprise === undefined ? [] : [surprise.mean, surprise.max],
    entropyMovement: entropy_movement?.mean,
    // Of no step with a margin, zero damage would be a claim that nobody can make.
    damage: gain.mean === undefined ? undefined : gain.damage.count,
    repair: gain.mean === undefined ? undefined : gain.repair.count,
    steps: steps.map(({ diagnostics }) => [
      diagnostics?.marginGain,
      diagnostics?.surprise,
      diagnostics?.entropyMovement,
    ]),
    stepTypes: step_types.map(({ action, all_steps, mean }) => [shortText(action, 80), all_steps, mean]),
  };
}
