/** Of ES2024, and in every Node since 20. */
interface WellFormed {
  isWellFormed(): boolean;
  toWellFormed(): string;
}

/** The text with U+FFFD for halves of surrogate pairs, which neither UTF-8 nor canonical JSON can hold. */
export function wellFormed(text: string): string {
  const string = text as unknown as WellFormed;
  return string.isWellFormed() ? text : string.toWellFormed();
}
