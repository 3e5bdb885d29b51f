import type { TermTable } from "./candidate-terms.ts";

/**
 * Count vector of one block: how often the table's tokens and pairs occur among the block's tokens.
 *
 * Pairs end at the block's end, so the vectors of blocks add up to the vector of the state whatever
 * the order of the blocks.
 */
export function countTerms(table: TermTable, tokens: readonly string[]): Float64Array {
  const counts = new Float64Array(table.size);
  counts[0] = tokens.length;
  let row: ReturnType<TermTable["pairSlots"]["get"]>;
  for (const token of tokens) {
    const slot = table.unigramSlots.get(token);
    if (row !== undefined) {
      counts[row.left]! += 1;
      const pair = slot === undefined ? undefined : row.right.get(slot);
      if (pair !== undefined) counts[pair]! += 1;
    }
    if (slot === undefined) {
      row = undefined;
    } else {
      counts[slot]! += 1;
      row = table.pairSlots.get(slot);
    }
  }
  return counts;
}
