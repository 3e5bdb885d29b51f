import type { DiagnosedStep } from "../diagnose/index.ts";
import { createRandom } from "../math/index.ts";
import type { AuditSample } from "./attribution-audit.ts";

/** A transition that is clean in baseline and contrast. */
export interface AuditCandidate {
  baseline: DiagnosedStep;
  contrast: DiagnosedStep;
  /** G(contrast) − G(baseline). */
  gap: number;
}

export interface SampleSettings {
  size: number;
  perTrajectory: number;
  sampleSeed: number;
}

/** A sample, and how many of it were taken beyond the number a trajectory may have. */
export interface DrawnSample {
  chosen: AuditCandidate[];
  beyondPerTrajectory: number;
}

/**
 * Draws a sample from the population.
 *
 * - `clean` takes all.
 * - `largest_gap` takes the largest absolute gaps, of each trajectory at most `perTrajectory`; if these are
 *   fewer than `size`, a seeded shuffle of the rest fills up, whatever its trajectories (the reference's rule).
 * - `random` takes the first `size` of a seeded shuffle.
 *
 * Neither depends on the order of the population: ties and shuffles start from the order of the ids.
 */
export function drawSample(
  population: readonly AuditCandidate[],
  sample: AuditSample,
  settings: SampleSettings,
): DrawnSample {
  const ordered = [...population].sort(byId);
  if (sample === "clean") return { chosen: ordered, beyondPerTrajectory: 0 };
  if (sample === "random") {
    return { chosen: shuffle(ordered, settings.sampleSeed).slice(0, settings.size), beyondPerTrajectory: 0 };
  }
  return largestGaps(ordered, settings);
}

function largestGaps(ordered: readonly AuditCandidate[], settings: SampleSettings): DrawnSample {
  const taken = new Map<string, number>();
  const chosen: AuditCandidate[] = [];
  const rest: AuditCandidate[] = [];
  for (const candidate of [...ordered].sort((x, y) => Math.abs(y.gap) - Math.abs(x.gap))) {
    const { trajectoryId } = candidate.baseline;
    const count = taken.get(trajectoryId) ?? 0;
    if (chosen.length < settings.size && count < settings.perTrajectory) {
      taken.set(trajectoryId, count + 1);
      chosen.push(candidate);
    } else rest.push(candidate);
  }
  const missing = settings.size - chosen.length;
  // In the order of the ids again, so that the draw is the same whatever the gaps.
  const fill = missing > 0 ? shuffle(rest.sort(byId), settings.sampleSeed).slice(0, missing) : [];
  return { chosen: [...chosen, ...fill], beyondPerTrajectory: fill.length };
}

function shuffle<T>(items: readonly T[], seed: number): T[] {
  const random = createRandom(seed);
  const shuffled = [...items];
  for (let i = shuffled.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [shuffled[i], shuffled[j]] = [shuffled[j]!, shuffled[i]!];
  }
  return shuffled;
}

function byId({ baseline: x }: AuditCandidate, { baseline: y }: AuditCandidate): number {
  if (x.trajectoryId !== y.trajectoryId) return x.trajectoryId < y.trajectoryId ? -1 : 1;
  return x.stepId < y.stepId ? -1 : x.stepId > y.stepId ? 1 : 0;
}
