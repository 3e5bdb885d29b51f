/** The `size` steps of lowest rank of a stream, by the number of their run. */
export interface OutermostSteps {
  /** Whether the step is among them now. */
  add(run: number, rank: number): boolean;
  /** Runs of these steps, lowest rank first; of equal ranks the one that came first, as in the summary. */
  runs(): number[];
}

export function createOutermostSteps(size: number): OutermostSteps {
  const kept: { run: number; rank: number }[] = [];
  return {
    add(run, rank) {
      if (size === 0 || (kept.length === size && rank >= kept[size - 1]!.rank)) return false;
      let at = kept.length;
      while (at > 0 && kept[at - 1]!.rank > rank) at--;
      kept.splice(at, 0, { run, rank });
      if (kept.length > size) kept.pop();
      return true;
    },
    runs: () => kept.map(({ run }) => run),
  };
}
