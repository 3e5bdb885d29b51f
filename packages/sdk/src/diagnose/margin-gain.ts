/**
 * Margin gain G = mean over mappings of M_after − M_before (paper eq. 3).
 *
 * @param marginsBefore one margin a mapping, nats
 * @param marginsAfter same mappings in the same order
 * @returns nats; positive when the step moved the evaluator towards the target
 */
export function marginGain(marginsBefore: readonly number[], marginsAfter: readonly number[]): number {
  let sum = 0;
  for (let b = 0; b < marginsBefore.length; b++) sum += marginsAfter[b]! - marginsBefore[b]!;
  return sum / marginsBefore.length;
}
