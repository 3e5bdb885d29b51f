import type { JsonObject, JsonValue } from "@agent-step-value/sdk";
import type { AttributeValue } from "../spans/otel-span.ts";

/** A structured value as JSON; undefined where JSON cannot say it exactly: bytes, whole numbers beyond 2^53, NaN. */
export function plainJson(value: AttributeValue): JsonValue | undefined {
  switch (typeof value) {
    case "bigint":
      return undefined;
    case "number":
      return Number.isFinite(value) ? value : undefined;
    case "object":
      break;
    default:
      return value;
  }
  if (value === null) return null;
  if (value instanceof Uint8Array) return undefined;
  if (Array.isArray(value)) {
    const items = (value as AttributeValue[]).map(plainJson);
    return items.includes(undefined) ? undefined : (items as JsonValue[]);
  }
  const object: JsonObject = Object.create(null);
  for (const [key, item] of Object.entries(value as Readonly<Record<string, AttributeValue>>)) {
    const json = plainJson(item);
    if (json === undefined) return undefined;
    object[key] = json;
  }
  return object;
}
