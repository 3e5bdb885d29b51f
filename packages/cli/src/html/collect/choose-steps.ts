import type { DiagnosedStep } from "@agent-step-value/sdk";

/** Steps of one run that a report shows at most. */
export const MOST_STEPS_OF_RUN = 200;
/** The first and last steps of a long run that are always among them, and those that moved most. */
const ENDS = 10;
const MOVED = 100;

/**
 * Which steps of a run to show: all of a usual one; of a long one its first and last steps, those that moved
 * most, those with a human verdict, and of what moved next as many as fit.
 *
 * @returns places in order
 */
export function chooseSteps(steps: readonly DiagnosedStep[]): number[] {
  const places = steps.map((_, place) => place);
  if (steps.length <= MOST_STEPS_OF_RUN) return places;
  const movement = steps.map(({ diagnostics }) =>
    Math.max(Math.abs(diagnostics?.marginGain ?? 0), diagnostics?.surprise ?? 0),
  );
  const moved = places.toSorted((a, b) => movement[b]! - movement[a]! || a - b);
  const labelled = places.filter((place) => steps[place]!.label !== undefined);
  const wanted = [
    ...places.slice(0, ENDS),
    ...places.slice(-ENDS),
    ...moved.slice(0, MOVED),
    ...labelled,
    ...moved,
  ];
  return [...new Set(wanted)].slice(0, MOST_STEPS_OF_RUN).sort((a, b) => a - b);
}
