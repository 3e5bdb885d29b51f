/** Thousands separators between digit groups: comma, apostrophes, no-break and thin spaces. */
const grouped = /(?<![\p{N}.,'’])\p{N}{1,3}(?:[,'’\u00a0\u2009\u202f]\p{N}{3})+(?!\p{N})/gu;
const separator = /[,'’\u00a0\u2009\u202f]/gu;

/**
 * Text as the tokeniser sees it: digit groups joined (`1,234,567` becomes `1234567`), Unicode NFKC,
 * lower case without regard to language.
 *
 * Groups are joined first, because NFKC turns the no-break spaces that mark them into plain ones.
 * Cost O(n) on any input: a digit group can start only where no digit or separator stands before it.
 */
export function normaliseText(text: string): string {
  return text
    .replace(grouped, (digits) => digits.replace(separator, ""))
    .normalize("NFKC")
    .toLowerCase();
}
