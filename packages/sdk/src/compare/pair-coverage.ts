import type { MismatchReason, PairCoverage, PairMismatch, StepPlace } from "./channel-comparison.ts";
import type { StepPair } from "./pair-steps.ts";

/** How many steps of each mismatch are named. */
const EXAMPLES = 5;

/** Counts what became of the steps of two channels. */
export interface CoverageTally {
  addPair(pair: StepPair): void;
  addTrajectory(kind: keyof PairCoverage["trajectories"]): void;
  coverage(): PairCoverage;
}

export function createCoverageTally(): CoverageTally {
  const counts = {
    paired: 0,
    onlyInA: 0,
    onlyInB: 0,
    withoutGainInA: 0,
    withoutGainInB: 0,
    withoutGainInBoth: 0,
    mismatched: 0,
    unverified: 0,
  };
  const mismatches = createMismatchTally();
  const trajectories = { paired: 0, onlyInA: 0, onlyInB: 0, unpaired: 0 };
  return {
    addPair(pair) {
      if (pair.kind === "only_in_a") counts.onlyInA++;
      else if (pair.kind === "only_in_b") counts.onlyInB++;
      else if (pair.kind === "without_gain") {
        if (pair.inA && pair.inB) counts.withoutGainInBoth++;
        else if (pair.inA) counts.withoutGainInA++;
        else counts.withoutGainInB++;
      } else if (pair.kind === "mismatched") {
        counts.mismatched++;
        mismatches.add(pair.reason, pair.a);
      } else {
        counts.paired++;
        if (!pair.verified) counts.unverified++;
      }
    },
    addTrajectory: (kind) => trajectories[kind]++,
    coverage() {
      const { unverified, ...exclusive } = counts;
      return {
        transitions: Object.values(exclusive).reduce((sum, count) => sum + count, 0),
        ...exclusive,
        mismatches: mismatches.list(),
        unverified,
        trajectories: { ...trajectories },
      };
    },
  };
}

/** Mismatches by reason, most frequent first, with the first few named. */
export function createMismatchTally(): {
  add(reason: MismatchReason, place: StepPlace): void;
  list(): PairMismatch[];
} {
  const found = new Map<MismatchReason, PairMismatch>();
  return {
    add(reason, { trajectoryId, stepId }) {
      let mismatch = found.get(reason);
      if (mismatch === undefined) found.set(reason, (mismatch = { reason, count: 0, examples: [] }));
      mismatch.count++;
      if (mismatch.examples.length < EXAMPLES) mismatch.examples.push({ trajectoryId, stepId });
    },
    list: () =>
      [...found.values()]
        .map((mismatch) => ({ ...mismatch, examples: [...mismatch.examples] }))
        .sort((x, y) => y.count - x.count),
  };
}
