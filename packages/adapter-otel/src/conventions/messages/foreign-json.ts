import { readPythonLiteral } from "@agent-step-value/sdk";

/** Longest text that is looked at as JSON; beyond it a value is text like any other. */
const LONGEST_JSON = 64_000_000;

export type JsonMap = { readonly [key: string]: unknown };

export function isMap(value: unknown): value is JsonMap {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
  );
}

/** A field of a foreign object, by its own keys alone: `constructor` and `__proto__` are no fields. */
export function field(map: JsonMap, ...names: readonly string[]): unknown {
  for (const name of names) if (Object.hasOwn(map, name) && map[name] != null) return map[name];
  return undefined;
}

/** A field that holds a text with something in it. */
export function textField(map: JsonMap, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = Object.hasOwn(map, name) ? map[name] : undefined;
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

/**
 * A value that may be JSON in a text, or the `repr()` of a Python dict or list: parsed where it is an
 * object or a list, else as it was. Never throws.
 */
export function opened(value: unknown): unknown {
  if (typeof value !== "string" || value.length > LONGEST_JSON) return value;
  const first = /^\s*([{["])/.exec(value)?.[1];
  if (first === undefined) return value;
  try {
    const json: unknown = JSON.parse(value);
    return typeof json === "object" || first === '"' ? (json ?? value) : value;
  } catch {
    return first === '"' ? value : (readPythonLiteral(value) ?? value);
  }
}

function writable(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Uint8Array) return bytesUri(value);
  return value;
}

/** Bytes as a data URI, which the projection replaces by media type, length and digest. */
function bytesUri(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 8192)
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return `data:application/octet-stream;base64,${btoa(binary)}`;
}

/**
 * A foreign value as text: texts as they are, everything else as JSON; undefined for nothing at all.
 * A Python `repr()` becomes JSON, since rules that go by key names cannot see into it.
 */
export function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "object") return jsonText(value);
  if (typeof value !== "string") return String(value as number | boolean | bigint);
  if (!/^\s*[{[]/.test(value)) return value;
  try {
    JSON.parse(value);
    return value;
  } catch {
    const literal = readPythonLiteral(value);
    return literal === undefined ? value : jsonText(literal);
  }
}

/** JSON, or a marker for what nests deeper than JSON can be written. */
export function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, writable);
  } catch {
    return "[unreadable]";
  }
}
