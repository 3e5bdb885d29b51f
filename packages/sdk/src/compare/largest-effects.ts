import type { DiagnosedStep } from "../diagnose/index.ts";
import type { PairedStep } from "./channel-comparison.ts";
import { allFlags } from "./all-flags.ts";

/** The pairs of largest absolute effect, kept while a stream goes by. */
export interface LargestEffects {
  add(a: DiagnosedStep, b: DiagnosedStep): void;
  /** Largest first; of equal ones the one that came first. Pairs without an effect are not listed. */
  list(): PairedStep[];
}

export function createLargestEffects(size: number): LargestEffects {
  const kept: PairedStep[] = [];
  return {
    add(a, b) {
      const gainA = a.diagnostics!.marginGain!;
      const gainB = b.diagnostics!.marginGain!;
      const rank = Math.abs(gainA - gainB);
      if (rank === 0 || size === 0) return;
      let at = kept.length;
      while (at > 0 && Math.abs(kept[at - 1]!.effect) < rank) at--;
      if (at === size) return;
      const { trajectoryId, stepId, index, action } = a;
      const flags = { flagsA: [...allFlags(a)], flagsB: [...allFlags(b)] };
      kept.splice(at, 0, {
        trajectoryId,
        stepId,
        index,
        action,
        gainA,
        gainB,
        effect: gainA - gainB,
        ...flags,
      });
      if (kept.length > size) kept.pop();
    },
    list: () => kept.map((step) => ({ ...step, flagsA: [...step.flagsA], flagsB: [...step.flagsB] })),
  };
}
