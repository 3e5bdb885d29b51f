import type { JsonValue } from "../schema/index.ts";

const REAL =
  "(?:0[xX]_?[\\da-fA-F][\\da-fA-F_]*|0[oO]_?[0-7][0-7_]*|0[bB]_?[01][01_]*|(?:\\d[\\d_]*(?:\\.[\\d_]*)?|\\.\\d[\\d_]*)(?:[eE][+-]?\\d[\\d_]*)?|(?:inf|nan)(?=[jJ]?(?![\\w.])))";
const NUMBER = new RegExp(`[+-]?${REAL}(?:[lL]|[jJ]|[+-]${REAL}[jJ])?(?!\\w)`, "y");
/** More digits than this are not counted with: turning a million of them into decimal takes seconds. */
const MOST_DIGITS = 64;

/** A number as Python prints it and as JSON has it. */
export interface NumberLiteral {
  readonly end: number;
  readonly value: JsonValue;
}

function wholeValue(digits: string): JsonValue {
  if (digits.length > MOST_DIGITS) return digits;
  const sign = digits.startsWith("-") ? -1n : 1n;
  const whole = sign * BigInt(digits.replace(/^[+-]/, ""));
  const value = Number(whole);
  return Number.isSafeInteger(value) ? value : whole.toString();
}

function valueOf(source: string): JsonValue {
  if (source.length < 16 && /^\d+$/.test(source)) return Number(source);
  const digits = source.replaceAll("_", "");
  if (/[jJ]$/.test(digits)) return source;
  if (digits.endsWith("nan")) return "NaN";
  if (digits.endsWith("inf")) return digits.startsWith("-") ? "-Infinity" : "Infinity";
  if (/^[+-]?\d+[lL]?$/.test(digits)) {
    const whole = digits.replace(/[lL]$/, "");
    return Object.is(Number(whole), -0) ? 0 : wholeValue(whole);
  }
  if (/^[+-]?0[xXoObB]/.test(digits)) return wholeValue(digits);
  const value = Number(digits);
  return Number.isFinite(value) ? value : source;
}

/**
 * Reads the number at `at`, if one stands there: decimal, `0x`, `0o`, `0b`, `1_000`, `1e-3`, `1j`, `1+2j`,
 * `10L`, `inf`, `nan`. Whole numbers beyond 2^53, complex ones and floats that no double holds are texts, so
 * that no digit is lost; `inf` and `nan` are `"Infinity"` and `"NaN"`.
 */
export function numberLiteralAt(text: string, at: number): NumberLiteral | undefined {
  NUMBER.lastIndex = at;
  const source = NUMBER.exec(text)?.[0];
  return source === undefined ? undefined : { end: at + source.length, value: valueOf(source) };
}
