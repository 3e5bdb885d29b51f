/**
 * Largest surprise that K candidates allow: one certainty turned into another, each smoothed by ε.
 * 15.2018 nats for four candidates and ε = 1e-6.
 */
export function surpriseCeiling(candidates: number, epsilon = 1e-6): number {
  if (candidates < 2) return 0;
  const rest = epsilon / candidates;
  const top = 1 - epsilon + rest;
  return (top - rest) * Math.log(top / rest);
}

/** The ceiling that all tasks share; undefined where their candidate sets differ in size. */
export function commonCeiling(candidateCounts: ReadonlyMap<number, number>): number | undefined {
  const [only, another] = candidateCounts.keys();
  return only === undefined || another !== undefined || only < 2 ? undefined : surpriseCeiling(only);
}
