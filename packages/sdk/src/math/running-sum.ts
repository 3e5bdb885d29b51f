/** A sum that grows by one number at a time. */
export interface RunningSum {
  add(value: number): void;
  total(): number;
}

/**
 * Running sum with Neumaier's compensation: the error does not grow with the number of values.
 * For numbers that are not kept; {@link fsum} is exact and needs them all.
 */
export function createRunningSum(): RunningSum {
  let sum = 0;
  let lost = 0;
  return {
    add(value) {
      const next = sum + value;
      lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
      sum = next;
    },
    total: () => sum + lost,
  };
}
