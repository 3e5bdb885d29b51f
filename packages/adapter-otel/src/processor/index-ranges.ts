/**
 * A set of whole numbers that are mostly consecutive, kept as ranges: a trajectory of a million steps
 * takes one.
 */
export class IndexRanges {
  /** Ascending, disjoint and not touching: [first, last] each. */
  readonly #ranges: [number, number][] = [];

  /** Largest member, or -1. */
  get last(): number {
    return this.#ranges.at(-1)?.[1] ?? -1;
  }

  has(index: number): boolean {
    if (index > this.last) return false;
    return this.#ranges[this.#firstEndingFrom(index)]![0] <= index;
  }

  /** Adds a number; false where it is a member already. */
  add(index: number): boolean {
    const ranges = this.#ranges;
    const newest = ranges.at(-1);
    // As a rule the next one.
    if (newest !== undefined && index === newest[1] + 1) newest[1] = index;
    else if (newest === undefined || index > newest[1]) ranges.push([index, index]);
    else return this.#insert(index);
    return true;
  }

  #insert(index: number): boolean {
    const ranges = this.#ranges;
    const at = this.#firstEndingFrom(index);
    const next = ranges[at]!;
    if (next[0] <= index) return false;
    const previous = ranges[at - 1];
    const touchesPrevious = previous !== undefined && previous[1] + 1 === index;
    const touchesNext = next[0] - 1 === index;
    if (touchesPrevious && touchesNext) {
      previous[1] = next[1];
      ranges.splice(at, 1);
    } else if (touchesPrevious) previous[1] = index;
    else if (touchesNext) next[0] = index;
    else ranges.splice(at, 0, [index, index]);
    return true;
  }

  /** Position of the first range whose end is not before the number; there is one. */
  #firstEndingFrom(index: number): number {
    let low = 0;
    let high = this.#ranges.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#ranges[middle]![1] < index) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
