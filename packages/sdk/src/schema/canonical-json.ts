import canonicalize from "canonicalize";
import type { JsonValue } from "./json.ts";

/**
 * RFC 8785 canonical JSON. Throws on NaN, infinities, cycles and lone surrogates.
 *
 * The engine's own serialisation of a value whose keys stand in order is the canonical form, and
 * several times faster than the library, which keeps the cases that cannot be put in order.
 */
export function canonicalJson(value: JsonValue): string {
  const ordered = inOrder(value, 0);
  if (ordered !== undefined) {
    const text = JSON.stringify(ordered);
    // Written so only for half a surrogate pair, which the canonical form refuses.
    if (!text.includes("\\ud")) return text;
  }
  return canonicalize(value) as string;
}

/** Beyond this depth the value is left to the library, which also finds cycles. */
const MAX_DEPTH = 100;

/** Keys that an object lists in its own order, or that cannot be assigned. */
const UNORDERABLE = /^(?:\d+|__proto__)$/;

/**
 * The value itself where every object has its keys in UTF-16 order, otherwise a copy of the parts that
 * have not; undefined where that cannot be had, or where a number is not finite.
 */
function inOrder(value: unknown, depth: number): JsonValue | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "object" || value === null) return value as JsonValue | undefined;
  if (depth > MAX_DEPTH) return undefined;
  return Array.isArray(value)
    ? itemsInOrder(value, depth)
    : keysInOrder(value as Record<string, unknown>, depth);
}

function itemsInOrder(items: unknown[], depth: number): JsonValue | undefined {
  let copy: JsonValue[] | undefined;
  for (let i = 0; i < items.length; i++) {
    const item = inOrder(items[i], depth + 1);
    if (item === undefined) return undefined;
    if (item !== items[i]) (copy ??= items.slice() as JsonValue[])[i] = item;
  }
  return copy ?? (items as JsonValue);
}

function keysInOrder(object: Record<string, unknown>, depth: number): JsonValue | undefined {
  const keys = Object.keys(object);
  let same = keys.every((key, i) => i === 0 || keys[i - 1]! < key);
  if (!same) {
    if (keys.some((key) => UNORDERABLE.test(key))) return undefined;
    keys.sort();
  }
  const values: JsonValue[] = [];
  for (const key of keys) {
    const value = inOrder(object[key], depth + 1);
    if (value === undefined) return undefined;
    if (value !== object[key]) same = false;
    values.push(value);
  }
  if (same) return object as JsonValue;
  if (keys.includes("__proto__")) return undefined;
  const copy: Record<string, JsonValue> = {};
  for (let i = 0; i < keys.length; i++) copy[keys[i]!] = values[i]!;
  return copy;
}
