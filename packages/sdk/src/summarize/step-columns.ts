/** What is remembered of one step beside its numbers, as bits. */
export const STEP = {
  measured: 1,
  hasGain: 2,
  floored: 4,
  leaked: 8,
  doubtful: 16,
  damage: 32,
  repair: 64,
  targetFirst: 128,
  labelled: 256,
} as const;

/** One step: ids and action names as numbers, NaN for a number the step does not have. */
interface StepRow {
  trajectory: number;
  action: number;
  bits: number;
  gain: number;
  surprise: number;
}

/** Steps as typed arrays of `length` entries. */
export interface StepTable {
  length: number;
  trajectory: Uint32Array;
  action: Uint32Array;
  bits: Uint16Array;
  gain: Float64Array;
  surprise: Float64Array;
}

const FIRST_CAPACITY = 1024;

export interface StepColumns {
  push(row: StepRow): void;
  table(): StepTable;
}

/** Collects steps in arrays that double, 26 bytes a step. */
export function createStepColumns(): StepColumns {
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

const NAMES = ["trajectory", "action", "bits", "gain", "surprise"] as const;

function allocate(capacity: number): Omit<StepTable, "length"> {
  return {
    trajectory: new Uint32Array(capacity),
    action: new Uint32Array(capacity),
    bits: new Uint16Array(capacity),
    gain: new Float64Array(capacity),
    surprise: new Float64Array(capacity),
  };
}

/** Rows that pass a test, in order and without a list of them. */
export function rowsWhere(table: StepTable, test: (row: number) => boolean): Iterable<number> {
  return {
    *[Symbol.iterator]() {
      for (let row = 0; row < table.length; row++) if (test(row)) yield row;
    },
  };
}
