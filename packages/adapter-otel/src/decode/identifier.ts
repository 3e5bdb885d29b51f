import { exactInteger } from "./exact-json.ts";
import { wellFormed } from "./well-formed.ts";

/** Bytes of a trace id and of a span id. */
export const TRACE_ID_BYTES = 16;
export const SPAN_ID_BYTES = 8;

const LONGEST = 128;

/**
 * An id as a key: lower-case hex for hex, for base64 whose length says so, and for bytes; the digits of an
 * integer as they stand; any other short text as it is. Undefined where there is none: null, empty, zero.
 */
export function identifierOf(value: unknown, bytes: number): string | undefined {
  if (typeof value === "string") return textIdentifier(value, bytes);
  if (value instanceof Uint8Array) return hexOf(Buffer.from(value.buffer, value.byteOffset, value.length));
  if (typeof value === "number") return Number.isSafeInteger(value) && value > 0 ? String(value) : undefined;
  return undefined;
}

function textIdentifier(value: string, bytes: number): string | undefined {
  const exact = exactInteger(value);
  if (exact !== undefined) return exact.toString();
  const hex = value.startsWith("0x") ? value.slice(2) : value;
  if (hex.length === 2 * bytes && /^[\da-fA-F]+$/.test(hex)) return withoutZeros(hex.toLowerCase());
  if (isBase64Of(value, bytes)) {
    const decoded = Buffer.from(value, "base64");
    // Bits that no byte takes are zero in base64; a plain id of the same length must not lose them.
    if (decoded.toString("base64").startsWith(value)) return hexOf(decoded);
  }
  if (value === "" || value.length > LONGEST) return undefined;
  return withoutZeros(/^[\da-fA-F]+$/.test(hex) ? hex.toLowerCase() : wellFormed(value));
}

/** With padding or without: 24 or 22 characters for 16 bytes, 12 or 11 for 8. */
function isBase64Of(value: string, bytes: number): boolean {
  const digits = Math.ceil((bytes * 4) / 3);
  if (value.length !== digits && value.length !== 4 * Math.ceil(bytes / 3)) return false;
  return value.length === value.match(/^[A-Za-z\d+/]+={0,2}$/)?.[0].length && baseDigits(value) === digits;
}

function baseDigits(value: string): number {
  const padding = value.indexOf("=");
  return padding === -1 ? value.length : padding;
}

function hexOf(bytes: Buffer): string | undefined {
  return bytes.length === 0 || bytes.length > LONGEST ? undefined : withoutZeros(bytes.toString("hex"));
}

/** An id of zeros says that there is none. */
function withoutZeros(id: string): string | undefined {
  return /^0*$/.test(id) ? undefined : id;
}
