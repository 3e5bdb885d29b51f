/** Thousands separators inside a number. */
const grouped = /(?<=\p{N}),(?=\p{N}{3}(?!\p{N}))/gu;

/** A sign or point that belongs to a number, or a run of letters and digits. */
const kept = /(?:(?<![\p{L}\p{N}])[-+])?\p{N}+(?:\.\p{N}+)?%?|[\p{L}\p{M}\p{N}]+/gu;

/**
 * An answer reduced to what distinguishes it, so that two spellings of one answer are equal:
 * compatibility forms, case, spacing, punctuation and thousands separators go; signs, decimal points
 * and percent signs of numbers stay. A text of punctuation alone is only trimmed.
 */
export function normaliseAnswer(text: string): string {
  const folded = text.normalize("NFKC").toLowerCase().replace(grouped, "");
  const parts = folded.match(kept);
  return parts === null ? folded.trim() : parts.join(" ");
}
