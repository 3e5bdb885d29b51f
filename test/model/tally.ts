/** Counts what holds and what does not, and says each. */
export interface Tally {
  check(what: string, holds: boolean, detail?: string): void;
  passed: number;
  failed: number;
}

export function createTally(): Tally {
  const tally: Tally = {
    passed: 0,
    failed: 0,
    check(what, holds, detail = "") {
      if (holds) tally.passed++;
      else tally.failed++;
      console.log(`${holds ? "ok" : "FAILED"}: ${what}${detail && ` (${detail})`}`);
    },
  };
  return tally;
}
