import type { Attributes, AttributeValue } from "../spans/otel-span.ts";
import { anyValue, plainValue } from "./attribute-value.ts";
import { isFields, textOf } from "./json-fields.ts";
import { wellFormed } from "./well-formed.ts";

export const NO_ATTRIBUTES: Attributes = new Map();

/** Attributes as OTLP lists them, or as a plain object of a dump. Of a key that stands twice the last one wins. */
export function attributesOf(value: unknown): Attributes {
  if (!Array.isArray(value)) return isFields(value) ? plainAttributes(value) : NO_ATTRIBUTES;
  if (value.length === 0) return NO_ATTRIBUTES;
  const attributes = new Map<string, AttributeValue>();
  for (const entry of value as unknown[]) {
    if (Array.isArray(entry)) {
      // The JavaScript SDK keeps a resource's attributes as pairs.
      if (typeof entry[0] === "string") attributes.set(textOf(entry[0])!, plainValue(entry[1]));
    } else if (isFields(entry)) {
      const key = textOf(entry["key"]);
      if (key !== undefined) attributes.set(key, anyValue(entry["value"] ?? {}));
    }
  }
  return attributes;
}

function plainAttributes(fields: Readonly<Record<string, unknown>>): Attributes {
  const attributes = new Map<string, AttributeValue>();
  for (const key of Object.keys(fields)) {
    const value = fields[key];
    if (value !== undefined) attributes.set(wellFormed(key), plainValue(value));
  }
  return attributes;
}
