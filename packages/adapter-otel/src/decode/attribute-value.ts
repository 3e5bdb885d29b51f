import type { AttributeValue } from "../spans/otel-span.ts";
import { exactInteger } from "./exact-json.ts";
import { integerOf, narrowed } from "./integer.ts";
import { isFields, listAt, textOf, type JsonFields } from "./json-fields.ts";
import { wellFormed } from "./well-formed.ts";

/** Deeper values are refused: whoever reads them recurses, and would overflow the stack on hostile input. */
export const DEPTH_LIMIT = 256;

/**
 * An AnyValue of OTLP JSON. Every kind: string, bool, int, double, array, kvlist, bytes; `{}` and an index
 * into a dictionary that is not there are null; `NaN`, `Infinity` and `-Infinity` are numbers.
 *
 * @throws {RangeError} for one nested too deeply
 */
export function anyValue(value: unknown, depth = 0): AttributeValue {
  checkDepth(depth);
  if (!isFields(value)) return plainValue(value, depth);
  for (const key in value) {
    const read = Object.hasOwn(KINDS, key) ? KINDS[key] : undefined;
    if (read !== undefined) return read(value[key], depth);
  }
  return null;
}

const KINDS: Readonly<Record<string, (value: unknown, depth: number) => AttributeValue>> = {
  stringValue: stringValue,
  string_value: stringValue,
  boolValue: boolValue,
  bool_value: boolValue,
  intValue: intValue,
  int_value: intValue,
  doubleValue: doubleValue,
  double_value: doubleValue,
  arrayValue: arrayValue,
  array_value: arrayValue,
  kvlistValue: kvlistValue,
  kvlist_value: kvlistValue,
  bytesValue: bytesValue,
  bytes_value: bytesValue,
};

function stringValue(value: unknown): AttributeValue {
  return textOf(value) ?? null;
}

function boolValue(value: unknown): AttributeValue {
  if (value === "true") return true;
  return value === "false" ? false : typeof value === "boolean" ? value : null;
}

function intValue(value: unknown): AttributeValue {
  const integer = integerOf(value);
  return integer === undefined ? null : narrowed(integer);
}

/** The JavaScript serializer writes null where others write `"NaN"`. */
function doubleValue(value: unknown): AttributeValue {
  if (typeof value === "number") return value;
  if (value === null || value === "NaN") return NaN;
  const text = textOf(value);
  const number = text === undefined || text.trim() === "" ? NaN : Number(text);
  return Number.isNaN(number) ? null : number;
}

function arrayValue(value: unknown, depth: number): AttributeValue {
  const values = isFields(value) ? listAt(value, "values") : [];
  return values.map((item) => anyValue(item, depth + 1));
}

function kvlistValue(value: unknown, depth: number): AttributeValue {
  const object: Record<string, AttributeValue> = Object.create(null);
  for (const entry of isFields(value) ? listAt(value, "values") : []) {
    const key = isFields(entry) ? textOf(entry["key"]) : undefined;
    if (key !== undefined) object[key] = anyValue((entry as JsonFields)["value"] ?? {}, depth + 1);
  }
  return object;
}

function bytesValue(value: unknown): AttributeValue {
  return typeof value === "string" ? new Uint8Array(Buffer.from(value, "base64")) : null;
}

/**
 * A plain JSON value as dumps of spans hold it.
 *
 * @throws {RangeError} for one nested too deeply
 */
export function plainValue(value: unknown, depth = 0): AttributeValue {
  checkDepth(depth);
  if (typeof value === "string") {
    const exact = exactInteger(value);
    return exact === undefined ? textOf(value)! : exact;
  }
  if (Array.isArray(value)) return value.map((item) => plainValue(item, depth + 1));
  if (isFields(value)) {
    const object: Record<string, AttributeValue> = Object.create(null);
    for (const key of Object.keys(value)) object[wellFormed(key)] = plainValue(value[key], depth + 1);
    return object;
  }
  return typeof value === "number" || typeof value === "boolean" ? value : null;
}

export function checkDepth(depth: number): void {
  if (depth > DEPTH_LIMIT) throw new RangeError(`a value is nested deeper than ${DEPTH_LIMIT} levels`);
}
