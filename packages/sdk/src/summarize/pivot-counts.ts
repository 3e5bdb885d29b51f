import { beliefPivot, type BeliefPivot, type DiagnosedStep } from "../diagnose/index.ts";
import type { PivotCounts } from "./summary.ts";

export interface PivotTally {
  /** A measured step. */
  add(step: DiagnosedStep): void;
  /** Undefined without a step. */
  counts(): PivotCounts | undefined;
}

/** Counts changes of the first choice. A step that does not carry its target counts as untargeted. */
export function createPivotTally(zeroTolerance: number): PivotTally {
  const counts: PivotCounts = {
    steps: 0,
    none: 0,
    tied: 0,
    targetDirected: 0,
    destructive: 0,
    betweenOthers: 0,
    untargeted: 0,
  };
  return {
    add({ diagnostics, transition }) {
      const { beliefBefore, beliefAfter } = diagnostics!;
      counts.steps++;
      counts[NAMES[beliefPivot(beliefBefore, beliefAfter, transition?.targetId, zeroTolerance)]]++;
    },
    counts: () => (counts.steps === 0 ? undefined : { ...counts }),
  };
}

const NAMES: Readonly<Record<BeliefPivot, Exclude<keyof PivotCounts, "steps">>> = {
  none: "none",
  tied: "tied",
  target_directed: "targetDirected",
  destructive: "destructive",
  between_others: "betweenOthers",
  untargeted: "untargeted",
};
