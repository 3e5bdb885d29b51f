import { exactInteger } from "./exact-json.ts";
import { wellFormed } from "./well-formed.ts";

/** A parsed JSON object of a foreign file. Its fields are read by name and never walked into a lookup. */
export type JsonFields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is JsonFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object under the first of the names that has one. */
export function fieldsAt(fields: JsonFields, ...names: string[]): JsonFields | undefined {
  for (const name of names) {
    const value = fields[name];
    if (isFields(value)) return value;
  }
  return undefined;
}

/** The array under the first of the names that has one; empty where none has. */
export function listAt(fields: JsonFields, ...names: string[]): readonly unknown[] {
  for (const name of names) {
    const value = fields[name];
    if (Array.isArray(value)) return value;
  }
  return [];
}

/** The first value that is there. */
export function firstOf(...values: unknown[]): unknown {
  return values.find((value) => value !== undefined && value !== null);
}

/** A string without halves of surrogate pairs, which neither UTF-8 nor canonical JSON can hold. */
export function textOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const exact = exactInteger(value);
  if (exact !== undefined) return exact.toString();
  return wellFormed(value);
}
