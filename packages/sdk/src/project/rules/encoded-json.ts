import { decodeBase64 } from "../bytes/base64.ts";
import type { TextRule } from "./text-rule.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * JSON under base64, as hosts hand state, cookies and headers on. It is taken out whole: what it holds
 * is not text to read, and a secret in it would pass every other rule. From 512 characters on it counts
 * as bytes.
 */
export const encodedJson: readonly TextRule[] = [
  {
    id: "encoded-json",
    // How `{"`, `{ "`, `{` and a line break, `[{"`, `["` and `[[` begin in base64.
    when: { token: ["eyJ", "eyAi", "ewog", "ewoJ", "W3si", "WyJ", "W1s"] },
    do: /(?:eyJ|eyAi|ewog|ewoJ|W3si|WyJ|W1s)[A-Za-z0-9+/_-]{13,511}={0,2}/,
    check: holdsJson,
  },
];

function holdsJson(encoded: string): boolean {
  const bytes = decodeBase64(encoded);
  // Parsing what is no JSON throws, which is slow enough to be used against us.
  if (!closesJson(bytes)) return false;
  try {
    const value: unknown = JSON.parse(decoder.decode(bytes));
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}

function closesJson(bytes: Uint8Array): boolean {
  let end = bytes.length - 1;
  while (end > 0 && bytes[end]! <= 32) end -= 1;
  return bytes[end] === 0x7d || bytes[end] === 0x5d;
}
