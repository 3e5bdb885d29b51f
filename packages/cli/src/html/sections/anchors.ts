import type { CollectedRuns } from "../collect/collect-runs.ts";

/** Anchor of a run. Anchors are made of numbers only: nothing from a record stands in an id. */
export function runAnchor(run: number): string {
  return `run-${run}`;
}

/** Anchor of a step of a run. */
export function stepAnchor(run: number, place: number): string {
  return `run-${run}-step-${place}`;
}

/** Finds the anchor of a step by its ids, where the step is shown. */
export interface StepAnchors {
  find(trajectoryId: string, stepId: string): string | undefined;
}

export function stepAnchors({ shown }: CollectedRuns): StepAnchors {
  const anchors = new Map<string, string>();
  for (const { number, trajectoryId, steps } of shown) {
    for (const { place, measured } of steps) {
      anchors.set(JSON.stringify([trajectoryId, measured.stepId]), stepAnchor(number, place));
    }
  }
  return { find: (trajectoryId, stepId) => anchors.get(JSON.stringify([trajectoryId, stepId])) };
}
