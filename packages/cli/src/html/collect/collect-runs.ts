import { beliefPivot, digestOf, type DiagnosedStep } from "@agent-step-value/sdk";
import { MOST_STEPS_OF_RUN } from "./choose-steps.ts";
import { pivotCode } from "./entropy-blindness.ts";
import { createOutermostSteps } from "./outermost-steps.ts";
import { runOf, type MeasuredRun } from "./run-of.ts";
import type { RunView } from "./run-view.ts";
import { createStepPoints, type StepPointColumns, type StepPoints } from "./step-points.ts";

export interface CollectOptions {
  /** Steps shown one by one before runs are sampled. Default 1,200. */
  mostSteps?: number;
  /** Which runs a sample holds. Default 7. */
  seed?: number;
  /** What counts as zero, nats; as given to the summarizer. Default 1e-9. */
  zeroTolerance?: number;
  /** Length of the summary's lists of worst and best steps, whose runs are always kept. Default 10. */
  extremes?: number;
}

/** What a report needs of the runs beside their summary. */
export interface CollectedRuns {
  /** The shown runs, in the order they came. */
  shown: RunView[];
  /** All runs and steps, shown or not. */
  runs: number;
  steps: number;
  sample: { seed: number; mostSteps: number };
  points: StepPoints;
  /** Steps by the size of their candidate set. */
  candidateCounts: Map<number, number>;
}

/** Takes runs one at a time; holds what is shown of a bounded number of them. */
export interface RunCollector {
  add(run: MeasuredRun): void;
  finish(): CollectedRuns;
}

/**
 * Gathers runs for a report while they are read once. Up to `mostSteps` steps all runs are kept.
 * Beyond it a sample remains: runs in the order of a digest of seed and id, as many as fit, so the same
 * runs are chosen in whatever order files were given. Runs that hold a worst or best step stay in
 * any case. What goes is never built: states of a run that is not kept are not compared.
 */
export function createRunCollector(options: CollectOptions = {}): RunCollector {
  const { mostSteps = 1200, seed = 7, zeroTolerance = 1e-9, extremes = 10 } = options;
  const shown = new Map<number, RunView>();
  const points = createStepPoints();
  const candidateCounts = new Map<number, number>();
  const worst = createOutermostSteps(extremes);
  const best = createOutermostSteps(extremes);
  const sample = createRunSample(mostSteps);
  let runs = 0;
  let steps = 0;

  const addExtremes = (measured: readonly DiagnosedStep[], run: number): boolean => {
    let changed = false;
    for (const { diagnostics } of measured) {
      const gain = diagnostics?.marginGain;
      if (gain === undefined) continue;
      if (gain < -zeroTolerance) changed = worst.add(run, gain) || changed;
      if (gain > zeroTolerance) changed = best.add(run, -gain) || changed;
    }
    return changed;
  };

  return {
    add(run) {
      const number = runs++;
      const measured = run.steps;
      steps += measured.length;
      const { candidates, goldCandidateId } = run.trajectory.task.candidateSpace;
      for (const step of measured) addPoint(points, step, goldCandidateId, zeroTolerance);
      const size = candidates.length;
      candidateCounts.set(size, (candidateCounts.get(size) ?? 0) + measured.length);
      const key = digestOf([seed, run.trajectory.trajectoryId]);
      const evicted = sample.add({ number, key, steps: Math.min(measured.length, MOST_STEPS_OF_RUN) });
      const extreme = addExtremes(measured, number);
      const wanted = new Set([...worst.runs(), ...best.runs()]);
      if (sample.has(number) || wanted.has(number)) shown.set(number, runOf(run, number));
      if (!evicted && !extreme) return;
      for (const kept of shown.keys()) if (!sample.has(kept) && !wanted.has(kept)) shown.delete(kept);
    },
    finish: () => ({
      shown: [...shown.values()],
      runs,
      steps,
      sample: { seed, mostSteps },
      points: points.points(),
      candidateCounts,
    }),
  };
}

function addPoint(
  points: StepPointColumns,
  { diagnostics }: DiagnosedStep,
  targetId: string | undefined,
  zeroTolerance: number,
): void {
  if (diagnostics === undefined) return;
  const { surprise, entropyMovement, marginGain = NaN, beliefBefore, beliefAfter } = diagnostics;
  const pivot = pivotCode(beliefPivot(beliefBefore, beliefAfter, targetId, zeroTolerance));
  points.push({ surprise, entropyMovement, marginGain, pivot });
}

interface SampledRun {
  number: number;
  key: string;
  steps: number;
}

/** The runs of lowest key whose steps fit; adding one can push others out. */
function createRunSample(mostSteps: number) {
  const kept: SampledRun[] = [];
  const numbers = new Set<number>();
  let total = 0;
  return {
    has: (number: number): boolean => numbers.has(number),
    /** Whether any run went, the new one included. */
    add(run: SampledRun): boolean {
      let at = kept.length;
      while (at > 0 && kept[at - 1]!.key > run.key) at--;
      kept.splice(at, 0, run);
      numbers.add(run.number);
      total += run.steps;
      let evicted = false;
      while (total > mostSteps && kept.length > 1) {
        const last = kept.pop()!;
        numbers.delete(last.number);
        total -= last.steps;
        evicted = true;
      }
      return evicted;
    },
  };
}
