import { isJsonObject, type JsonObject } from "@agent-step-value/sdk";
import type { Attributes } from "./otel-span.ts";

/** A text that is not empty. */
export function textAt(attributes: Attributes, name: string): string | undefined {
  const value = attributes.get(name);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A whole number from 0. */
export function countAt(attributes: Attributes, name: string): number | undefined {
  const value = attributes.get(name);
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** 64 lower-case hex digits. */
export function digestAt(attributes: Attributes, name: string): string | undefined {
  const value = attributes.get(name);
  return typeof value === "string" && /^[\da-f]{64}$/.test(value) ? value : undefined;
}

/**
 * A JSON object that travels as a string. `damaged` where the attribute is there and holds none, as a
 * value-length limit leaves it.
 */
export function objectAt(attributes: Attributes, name: string): JsonObject | "damaged" | undefined {
  const text = attributes.get(name);
  if (text === undefined) return undefined;
  if (typeof text !== "string") return "damaged";
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : "damaged";
  } catch {
    return "damaged";
  }
}

/** The object under a key, or an empty one. */
export function objectIn(object: JsonObject, key: string): JsonObject {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return value !== undefined && isJsonObject(value) ? value : {};
}
