/** Numbers that are kept one after another, 8 bytes each. */
export interface FloatList {
  push(value: number): void;
  /** The numbers so far, without a copy. */
  values(): Float64Array;
}

/** An array that doubles when it is full. */
export function createFloatList(): FloatList {
  let stored = new Float64Array(1024);
  let length = 0;
  return {
    push(value) {
      if (length === stored.length) {
        const larger = new Float64Array(2 * length);
        larger.set(stored);
        stored = larger;
      }
      stored[length++] = value;
    },
    values: () => stored.subarray(0, length),
  };
}
