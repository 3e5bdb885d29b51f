import type { Observation } from "./observation.ts";

/** Observations with their parents settled. */
export interface ObservationTree {
  /** Every observation once, parents before children. */
  readonly topDown: readonly Observation[];
  parentOf(observation: Observation): Observation | undefined;
  readonly missingParents: number;
  readonly cycles: number;
}

/**
 * Settles who is whose parent. A parent that is not in the export makes a root; so does the observation
 * at which a circle of parents would close. Linear in the number of observations.
 */
export function observationTree(observations: readonly Observation[]): ObservationTree {
  const byId = new Map(observations.map((observation) => [observation.id, observation]));
  const parents = new Map<Observation, Observation | undefined>();
  const topDown: Observation[] = [];
  let missingParents = 0;
  let cycles = 0;
  for (const observation of observations) {
    // Up to the first whose place is known, then down again.
    const way: Observation[] = [];
    const onWay = new Set<Observation>();
    for (let at: Observation | undefined = observation; at !== undefined && !parents.has(at);) {
      way.push(at);
      onWay.add(at);
      const parent: Observation | undefined = at.parentId === undefined ? undefined : byId.get(at.parentId);
      if (parent === undefined && at.parentId !== undefined) missingParents += 1;
      if (parent === undefined || !onWay.has(parent)) {
        at = parent;
        continue;
      }
      cycles += 1;
      parents.set(at, undefined);
      topDown.push(way.pop()!);
      break;
    }
    for (const each of way.reverse()) {
      parents.set(each, each.parentId === undefined ? undefined : byId.get(each.parentId));
      topDown.push(each);
    }
  }
  return { topDown, parentOf: (observation) => parents.get(observation), missingParents, cycles };
}
