import type { Observation } from "./observation.ts";
import type { StepObservation } from "./observation-roles.ts";
import type { ObservationTree } from "./observation-tree.ts";

/**
 * Steps in the order in which they came to be: by start; what wraps other steps by its end, since its
 * result came after theirs. Milliseconds tie, so then by end, by the parent's start, and by place in the
 * file. A step whose time is unknown stands where its parent began, and at last where the file has it.
 */
export function inOrder(steps: readonly StepObservation[], tree: ObservationTree): StepObservation[] {
  const starts = startTimes(tree);
  const keyed = steps.map((step) => {
    const { observation, wraps } = step;
    const parent = tree.parentOf(observation);
    const parentStart = parent === undefined ? Number.NEGATIVE_INFINITY : starts.get(parent)!;
    const time = wraps && !Number.isNaN(observation.end) ? observation.end : starts.get(observation)!;
    const end = Number.isNaN(observation.end) ? time : observation.end;
    return { step, keys: [time, end, parentStart, observation.order] };
  });
  keyed.sort((a, b) => compare(a.keys, b.keys));
  return keyed.map(({ step }) => step);
}

/** Start of every observation, or of the nearest around it that has one. */
function startTimes(tree: ObservationTree): Map<Observation, number> {
  const starts = new Map<Observation, number>();
  for (const observation of tree.topDown) {
    const parent = tree.parentOf(observation);
    const around = parent === undefined ? Number.POSITIVE_INFINITY : starts.get(parent)!;
    starts.set(observation, Number.isNaN(observation.start) ? around : observation.start);
  }
  return starts;
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [i, left] of a.entries()) {
    const right = b[i]!;
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}
