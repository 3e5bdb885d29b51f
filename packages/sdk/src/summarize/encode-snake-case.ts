import { isJsonObject, type JsonObject, type JsonValue } from "../schema/index.ts";

/**
 * A result as it stands in a file: keys in snake_case at every depth, absent fields left out. For types
 * whose keys are all field names; a key that is data (an id, a setting) would be changed too.
 */
export function encodeSnakeCase(value: object): JsonObject {
  return encode(value) as JsonObject;
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
