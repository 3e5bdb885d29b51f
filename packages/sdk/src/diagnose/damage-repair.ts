/**
 * Damage: the target was the evaluator's first choice before the step and is not after it.
 *
 * @param marginBefore mean over mappings, nats
 * @param marginAfter mean over mappings, nats
 * @param zeroTolerance a margin up to this counts as not positive: a tie is no first choice
 */
export function isDamage(marginBefore: number, marginAfter: number, zeroTolerance: number): boolean {
  return marginBefore > zeroTolerance && marginAfter <= zeroTolerance;
}

/** Repair: damage read backwards. */
export function isRepair(marginBefore: number, marginAfter: number, zeroTolerance: number): boolean {
  return isDamage(marginAfter, marginBefore, zeroTolerance);
}
