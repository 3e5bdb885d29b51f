import { markup, type SafeHtml } from "./markup.ts";

const MINUS = "\u2212";

/** A number to three decimals, with a true minus; the unrounded value is in the element. Absent is a dash. */
export function plainNumber(value: number | undefined): SafeHtml {
  return value === undefined ? dash : numberElement(value, plainText(value));
}

/** As {@link plainNumber}, with a plus before what rounds to more than zero. */
export function signedNumber(value: number | undefined): SafeHtml {
  return value === undefined ? dash : numberElement(value, signedText(value));
}

/** {@link plainNumber} and {@link signedNumber}, and the same without the unrounded value. */
export interface NumberMarkup {
  plain: (value: number | undefined) => SafeHtml;
  signed: (value: number | undefined) => SafeHtml;
}

export const unroundedNumbers: NumberMarkup = { plain: plainNumber, signed: signedNumber };

export const roundedNumbers: NumberMarkup = {
  plain: (value) => (value === undefined ? dash : markup`${plainText(value)}`),
  signed: (value) => (value === undefined ? dash : markup`${signedText(value)}`),
};

/** A share as a percentage with one decimal. */
export function percentage(share: number | undefined): SafeHtml {
  return share === undefined ? dash : numberElement(share, `${fixed(100 * share, 1)}\u00A0%`);
}

/** A whole number with separators between thousands. */
export function count(value: number): SafeHtml {
  return numberElement(value, countText(value));
}

/** `[low, high]`. */
export function intervalNumbers(
  { low, high }: { low: number; high: number },
  number: (value: number) => SafeHtml = signedNumber,
): SafeHtml {
  return markup`<span class="ci">[${number(low)}, ${number(high)}]</span>`;
}

/** Text of {@link signedNumber}, for plots. */
export function signedText(value: number): string {
  const text = fixed(value, 3);
  return value > 0 && text !== "0.000" ? `+${text}` : text;
}

/** Text of {@link plainNumber}. */
export function plainText(value: number): string {
  return fixed(value, 3);
}

/** Text of {@link count}. */
export function countText(value: number): string {
  return value.toLocaleString("en");
}

const dash = markup`<span class="none" title="not available">–</span>`;

/** Screen readers get the rounded text, programs the unrounded `value`. */
function numberElement(value: number, text: string): SafeHtml {
  return markup`<data value="${value}">${text}</data>`;
}

/** No minus before what rounds to zero. */
function fixed(value: number, decimals: number): string {
  const text = Math.abs(value).toFixed(decimals);
  return value < 0 && Number(text) !== 0 ? MINUS + text : text;
}
