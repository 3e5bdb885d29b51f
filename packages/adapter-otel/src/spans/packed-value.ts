import type { AttributeValue } from "./otel-span.ts";

/**
 * An attribute value as JSON that loses nothing. What JSON has stands for itself; the rest is an array
 * that begins with a letter: `i` bigint, `d` a double JSON cannot say, `b` bytes, `a` list, `o` object.
 */
export type PackedValue = string | number | boolean | null | readonly [string, ...PackedValue[]];

export function packValue(value: AttributeValue): PackedValue {
  switch (typeof value) {
    case "bigint":
      return ["i", value.toString()];
    case "number":
      if (Object.is(value, -0)) return ["d", "-0"];
      return Number.isFinite(value) ? value : ["d", String(value)];
    case "object":
      return value === null ? null : packObject(value);
    default:
      return value;
  }
}

function packObject(value: Exclude<AttributeValue & object, null>): PackedValue {
  if (value instanceof Uint8Array) return ["b", Buffer.from(value).toString("base64")];
  if (Array.isArray(value)) return ["a", ...(value as AttributeValue[]).map(packValue)];
  const object = value as Readonly<Record<string, AttributeValue>>;
  return ["o", ...Object.keys(object).flatMap((key) => [key, packValue(object[key]!)])];
}

export function unpackValue(packed: PackedValue): AttributeValue {
  if (typeof packed !== "object" || packed === null) return packed;
  const [kind, ...items] = packed;
  switch (kind) {
    case "i":
      return BigInt(items[0] as string);
    case "d":
      return Number(items[0]);
    case "b":
      return new Uint8Array(Buffer.from(items[0] as string, "base64"));
    case "a":
      return items.map(unpackValue);
    default: {
      const object: Record<string, AttributeValue> = Object.create(null);
      for (let at = 0; at < items.length; at += 2) object[items[at] as string] = unpackValue(items[at + 1]!);
      return object;
    }
  }
}
