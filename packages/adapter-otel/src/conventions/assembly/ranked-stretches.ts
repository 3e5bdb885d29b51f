/** Where an item stands among its like. */
interface Place {
  readonly group: string;
  readonly rank: number;
}

/** Equal ranks keep their order. O(n log n). */
function rankedPlaces<T>(items: readonly T[], placeOf: (item: T) => Place | undefined): T[] {
  const groups = new Map<string, { readonly at: number; readonly rank: number }[]>();
  items.forEach((item, at) => {
    const place = placeOf(item);
    if (place === undefined) return;
    const group = groups.get(place.group);
    if (group === undefined) groups.set(place.group, [{ at, rank: place.rank }]);
    else group.push({ at, rank: place.rank });
  });
  const ordered = [...items];
  for (const group of groups.values()) {
    const ranked = group.toSorted((a, b) => a.rank - b.rank || a.at - b.at);
    group.forEach(({ at }, i) => (ordered[at] = items[ranked[i]!.at]!));
  }
  return ordered;
}

/**
 * Items that belong together, stretch by stretch: those of one group are put in the order of their ranks, in the places that
 * the group has within the stretch. Items without a place stay where they are.
 */
export function rankedStretches<T>(
  items: readonly T[],
  belongs: (item: T) => boolean,
  placeOf: (item: T) => Place | undefined,
): T[] {
  const ordered: T[] = [];
  let stretch: T[] = [];
  const close = (): void => {
    for (const item of stretch.length > 1 ? rankedPlaces(stretch, placeOf) : stretch) ordered.push(item);
    stretch = [];
  };
  for (const item of items) {
    if (belongs(item)) {
      stretch.push(item);
      continue;
    }
    close();
    ordered.push(item);
  }
  close();
  return ordered;
}
