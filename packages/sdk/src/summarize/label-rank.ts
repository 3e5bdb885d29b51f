/** The steps of one trajectory in order of suspicion, seen from its labelled step. Ranks start at 1. */
export interface LabelRank {
  /** Steps that are ranked. */
  steps: number;
  /** First and last place the labelled step can take among the steps it is tied with. */
  first: number;
  last: number;
}

/** Places of each group of tied steps, most suspicious first. */
export interface TieGroup {
  first: number;
  last: number;
  /** Positions in the list of values. */
  members: number[];
}

/**
 * Ranks steps by a value, largest first; neighbours within the tolerance are tied.
 *
 * @param suspicion one finite value a step
 */
export function tieGroups(suspicion: readonly number[], tolerance: number): TieGroup[] {
  const order = suspicion.map((_, i) => i).sort((a, b) => suspicion[b]! - suspicion[a]!);
  const groups: TieGroup[] = [];
  let previous = Infinity;
  order.forEach((member, place) => {
    const value = suspicion[member]!;
    const group = groups.at(-1);
    if (group !== undefined && previous - value <= tolerance) {
      group.members.push(member);
      group.last = place + 1;
    } else {
      groups.push({ first: place + 1, last: place + 1, members: [member] });
    }
    previous = value;
  });
  return groups;
}

/** (r − 1) / (n − 1) with the mean rank of the tied steps: 0 is most suspicious, 0.5 is chance. */
export function normalisedRank({ steps, first, last }: LabelRank): number {
  return ((first + last) / 2 - 1) / (steps - 1);
}

/** Chance that the labelled step is among the first k when ties are broken at random. */
export function hitWithin(k: number, { first, last }: LabelRank): number {
  return Math.min(1, Math.max(0, (k - first + 1) / (last - first + 1)));
}

/** Mean of 1 / rank over the places that the labelled step can take. */
export function reciprocalRank({ first, last }: LabelRank): number {
  let sum = 0;
  for (let rank = first; rank <= last; rank++) sum += 1 / rank;
  return sum / (last - first + 1);
}
