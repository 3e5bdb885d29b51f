/**
 * Rows of a Williams design over 0 … k − 1: every item stands in every place equally often and
 * follows every other item equally often. k rows for even k; 2k for odd k, where the second half
 * mirrors the first, and each half alone still balances the places.
 */
export function williamsDesign(k: number): number[][] {
  const first = zigzag(k);
  const rows = Array.from({ length: k }, (_, shift) => first.map((item) => (item + shift) % k));
  return k % 2 === 0 ? rows : [...rows, ...rows.map((row) => row.toReversed())];
}

/** 0, k−1, 1, k−2, 2, …: neighbours differ by every amount once, which is what balances them. */
function zigzag(k: number): number[] {
  return Array.from({ length: k }, (_, i) => (i % 2 === 0 ? i / 2 : k - (i + 1) / 2));
}
