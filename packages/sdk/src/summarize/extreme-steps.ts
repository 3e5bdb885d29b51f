import type { StepMetrics } from "../schema/index.ts";
import type { ExtremeStep } from "./summary.ts";

/** The `size` steps that stand first in an order, kept while a stream goes by. */
export interface ExtremeSteps {
  add(step: StepMetrics, rank: number): void;
  /** Lowest rank first; of equal ranks the one that came first. */
  steps(): ExtremeStep[];
}

/** Keeps the steps of lowest rank. O(size) a step at worst, O(1) for a step that is not among them. */
export function createExtremeSteps(size: number): ExtremeSteps {
  const kept: { rank: number; step: ExtremeStep }[] = [];
  return {
    add(step, rank) {
      if (size === 0 || (kept.length === size && rank >= kept[size - 1]!.rank)) return;
      let at = kept.length;
      while (at > 0 && kept[at - 1]!.rank > rank) at--;
      kept.splice(at, 0, { rank, step: toExtreme(step) });
      if (kept.length > size) kept.pop();
    },
    steps: () => kept.map(({ step }) => step),
  };
}

function toExtreme({ trajectoryId, stepId, index, action, diagnostics, flags }: StepMetrics): ExtremeStep {
  return {
    trajectoryId,
    stepId,
    index,
    action,
    marginGain: diagnostics!.marginGain!,
    surprise: diagnostics!.surprise,
    flags: [...flags],
  };
}
