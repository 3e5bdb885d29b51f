import type { DiagnosedStep } from "@agent-step-value/sdk";

/** Steps of one run that a report shows at most. */
export const MOST_STEPS_OF_RUN = 200;
/** The first and last steps of a long run that are always among them. */
const ENDS = 10;

/**
 * Which steps of a run to show: all of a usual one; of a long one its first and last steps, those with a
 * human verdict, and then the ones that moved most.
 *
 * @returns places in order
 */
export function chooseSteps(steps: readonly DiagnosedStep[]): number[] {
  const places = steps.map((_, place) => place);
  if (steps.length <= MOST_STEPS_OF_RUN) return places;
  const atEnd = (place: number) => place < ENDS || place >= steps.length - ENDS;
  const weight = (place: number): number => {
    const { diagnostics, label } = steps[place]!;
    if (atEnd(place)) return Infinity;
    if (label !== undefined) return Number.MAX_VALUE;
    return Math.max(Math.abs(diagnostics?.marginGain ?? 0), diagnostics?.surprise ?? 0);
  };
  return places
    .map((place) => ({ place, weight: weight(place) }))
    .sort((a, b) => (a.weight === b.weight ? a.place - b.place : b.weight - a.weight))
    .slice(0, MOST_STEPS_OF_RUN)
    .map(({ place }) => place)
    .sort((a, b) => a - b);
}
