import { isJsonObject, type JsonObject, type JsonValue } from "../schema/index.ts";
import type { Summary } from "./summary.ts";

/**
 * A summary as it stands in a file: keys in snake_case, absent fields left out. It is written and
 * never read back, so there is no decoder.
 */
export function encodeSummary(summary: Summary): JsonObject {
  return encode(summary) as JsonObject;
}

function encode(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(encode);
  if (!isJsonObject(value)) return value as JsonValue;
  const encoded: JsonObject = {};
  for (const [key, inner] of Object.entries(value)) {
    if (inner !== undefined) encoded[snakeCase(key)] = encode(inner);
  }
  return encoded;
}

/** `meanTopBefore` to `mean_top_before`; `upper95` stays, as do quality flags. */
function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
