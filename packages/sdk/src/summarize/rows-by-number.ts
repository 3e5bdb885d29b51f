/**
 * Row numbers by a number each row carries, in the order of the rows: one array, cut into a piece a number.
 *
 * @param numbers of the rows, each below `count`
 * @param length rows to look at
 */
export function rowsByNumber(numbers: Uint32Array, length: number, count: number): Uint32Array[] {
  const ends = new Uint32Array(count + 1);
  for (let row = 0; row < length; row++) ends[numbers[row]! + 1]!++;
  for (let number = 0; number < count; number++) ends[number + 1]! += ends[number]!;
  const sorted = new Uint32Array(length);
  const next = ends.slice();
  for (let row = 0; row < length; row++) sorted[next[numbers[row]!]!++] = row;
  return Array.from({ length: count }, (_, number) => sorted.subarray(ends[number], ends[number + 1]));
}
