import { entropy } from "../math/index.ts";

/** Mean entropies of a transition's two states, and how far uncertainty fell. Nats. */
export interface EntropyMovement {
  before: number;
  after: number;
  /** ΔH; positive when uncertainty fell. */
  movement: number;
}

/**
 * Entropy movement ΔH = mean over mappings of H(p_before) − H(p_after) (paper eq. 2).
 *
 * @param before beliefs of the before-state, one distribution a mapping
 * @param after beliefs of the after-state, same mappings in the same order
 */
export function entropyMovement(
  before: readonly (readonly number[])[],
  after: readonly (readonly number[])[],
): EntropyMovement {
  let sumBefore = 0;
  let sumAfter = 0;
  let moved = 0;
  for (let b = 0; b < before.length; b++) {
    const from = entropy(before[b]!);
    const to = entropy(after[b]!);
    sumBefore += from;
    sumAfter += to;
    moved += from - to;
  }
  const mappings = before.length;
  return { before: sumBefore / mappings, after: sumAfter / mappings, movement: moved / mappings };
}
