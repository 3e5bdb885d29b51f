import { exactInteger } from "./exact-json.ts";

/**
 * A 64-bit integer as JSON spells it: a number, a string of digits, or a marked integer. Undefined for
 * anything else. A number that is not whole, or was written with an exponent, is what its double is.
 */
export function integerOf(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isFinite(value) ? BigInt(Math.trunc(value)) : undefined;
  if (typeof value !== "string") return undefined;
  const exact = exactInteger(value);
  if (exact !== undefined) return exact;
  return /^-?\d{1,20}$/.test(value) ? BigInt(value) : undefined;
}

/** A whole number where it is one exactly, else a bigint. */
export function narrowed(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
