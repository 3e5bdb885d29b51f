/** The rows of largest weight, in the order they stand in. */
export function mostOf<Row>(rows: readonly Row[], most: number, weight: (row: Row) => number): Row[] {
  if (rows.length <= most) return [...rows];
  const chosen = new Set(rows.toSorted((a, b) => weight(b) - weight(a)).slice(0, most));
  return rows.filter((row) => chosen.has(row));
}
