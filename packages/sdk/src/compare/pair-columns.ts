/** One paired step: ids and action names as numbers, the bits of each side as in a summary. */
export interface PairRow {
  unit: number;
  action: number;
  bitsA: number;
  bitsB: number;
  gainA: number;
  gainB: number;
}

/** Paired steps as typed arrays of `length` entries. */
export interface PairTable {
  length: number;
  unit: Uint32Array;
  action: Uint32Array;
  bitsA: Uint16Array;
  bitsB: Uint16Array;
  gainA: Float64Array;
  gainB: Float64Array;
}

export interface PairColumns {
  push(row: PairRow): void;
  table(): PairTable;
}

const FIRST_CAPACITY = 1024;

/** Collects pairs in arrays that double, 28 bytes a pair. */
export function createPairColumns(): PairColumns {
  let capacity = FIRST_CAPACITY;
  let length = 0;
  let columns = allocate(capacity);
  return {
    push(row) {
      if (length === capacity) {
        capacity *= 2;
        const larger = allocate(capacity);
        for (const name of NAMES) larger[name].set(columns[name]);
        columns = larger;
      }
      for (const name of NAMES) columns[name][length] = row[name];
      length++;
    },
    table: () => ({ ...columns, length }),
  };
}

const NAMES = ["unit", "action", "bitsA", "bitsB", "gainA", "gainB"] as const;

function allocate(capacity: number): Omit<PairTable, "length"> {
  return {
    unit: new Uint32Array(capacity),
    action: new Uint32Array(capacity),
    bitsA: new Uint16Array(capacity),
    bitsB: new Uint16Array(capacity),
    gainA: new Float64Array(capacity),
    gainB: new Float64Array(capacity),
  };
}

/** Numbers of the rows that pass a test, in order. */
export function pairRows(table: PairTable, test: (row: number) => boolean): Uint32Array {
  const rows = new Uint32Array(table.length);
  let found = 0;
  for (let row = 0; row < table.length; row++) if (test(row)) rows[found++] = row;
  return rows.subarray(0, found);
}
