import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { JsonValue } from "../schema/index.ts";

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\\": "\\\\",
};

function escaped(char: string): string {
  const short = SHORT_ESCAPES[char];
  if (short !== undefined) return short;
  const code = char.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x1_00) return `\\x${hex.padStart(2, "0")}`;
  return code < 0x1_00_00 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

function quoteFor(text: string): string {
  return text.includes("'") && !text.includes('"') ? '"' : "'";
}

/**
 * A text as `repr()` prints it: in single quotes unless it holds some and no double ones; what is not
 * printable (Unicode categories C and Z but for the blank) as an escape.
 */
export function reprText(text: string): string {
  const quote = quoteFor(text);
  const inner = text.replace(/[\\'"\p{C}\p{Z}]/gu, (char) => {
    if (char === " ") return char;
    if (char === "'" || char === '"') return char === quote ? `\\${char}` : char;
    return escaped(char);
  });
  return `${quote}${inner}${quote}`;
}

/** The UTF-8 bytes of a text as `repr()` prints bytes. */
export function reprBytes(text: string): string {
  let latin = "";
  for (const byte of utf8ToBytes(text)) latin += String.fromCharCode(byte);
  const quote = quoteFor(latin);
  const inner = latin.replace(/[\\'"]|[^ -~]/g, (char) => {
    if (char === "'" || char === '"') return char === quote ? `\\${char}` : char;
    return escaped(char);
  });
  return `b${quote}${inner}${quote}`;
}

/** A JSON value as `repr()` prints it. */
export function reprValue(value: JsonValue): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return reprText(value);
  if (Array.isArray(value)) return `[${value.map(reprValue).join(", ")}]`;
  const entries = Object.entries(value).map(([key, inner]) => `${reprText(key)}: ${reprValue(inner)}`);
  return `{${entries.join(", ")}}`;
}
