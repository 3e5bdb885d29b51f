import { canonicalJson, isJsonObject, type JsonValue } from "../../schema/index.ts";

/** What stands for a value nested deeper than JSON can be written. */
const TOO_DEEP = "[REMOVED:depth]";

/** A value as a block's text: a text as it is, anything else as canonical JSON. */
export function jsonText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined) return "";
  try {
    return canonicalJson(value as JsonValue);
  } catch {
    return plainJson(value); // half a surrogate pair has no canonical form
  }
}

function plainJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return TOO_DEEP;
  }
}

/**
 * Arguments of a call in one spelling, whether the source has them as an object or as the JSON text of
 * one: the same call reads the same wherever it is recorded.
 */
export function argumentsText(value: unknown): string {
  if (typeof value !== "string") return jsonText(value ?? {});
  const parsed = parsedObject(value);
  return parsed === undefined ? value : jsonText(parsed);
}

function parsedObject(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) || Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
