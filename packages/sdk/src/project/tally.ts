/** Why a value could not be projected; a marker stands in its place. */
export type FailureReason = "cycle" | "depth" | "unreadable" | "budget" | "project" | "policy" | "detector";

/** Rule id under which a failure is counted. */
export function failureRule(reason: FailureReason): string {
  return `removed-${reason}`;
}

/** What stands where a value could not be projected. */
export function failureMarker(reason: FailureReason): string {
  return `[REMOVED:${reason}]`;
}

/** Counts what rules did, and limits the work spent on one state. */
export class Tally {
  readonly hits = new Map<string, number>();
  #chars: number;
  #nodes: number;

  constructor(maxChars: number, maxNodes: number) {
    this.#chars = maxChars;
    this.#nodes = maxNodes;
  }

  count(rule: string, times = 1): void {
    this.hits.set(rule, (this.hits.get(rule) ?? 0) + times);
  }

  /** Counts a failure and gives its marker. */
  fail(reason: FailureReason): string {
    this.count(failureRule(reason));
    return failureMarker(reason);
  }

  /** Takes characters from the budget; false when there are not enough left. */
  spend(chars: number): boolean {
    if (chars > this.#chars) return false;
    this.#chars -= chars;
    return true;
  }

  /** Takes one value from the budget. */
  node(): boolean {
    this.#nodes -= 1;
    return this.#nodes >= 0;
  }

  /** All counts together: unchanged means nothing was changed. */
  get total(): number {
    let total = 0;
    for (const times of this.hits.values()) total += times;
    return total;
  }
}
