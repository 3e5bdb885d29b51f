import type { JsonObject, JsonValue } from "../schema/index.ts";

/** What a value may be made of to be recorded without another look. */
export interface KnownParts {
  /** True for a text that the rules leave as it is. */
  isLeft(text: string): boolean;
  /** True for a field name that no rule looks at and that makes nothing else of its value. */
  isFreeName(name: string): boolean;
}

const MOST_DEPTH = 8;

/**
 * A copy of plain data that is made of such texts and names alone: what a projection would
 * give, without one. Undefined for everything else, which is left to the projection: it reads no
 * getter and no proxy, so that the projection is still the first to.
 *
 * @param maxChars as {@link boundJson} counts them; a value that would be cut is left alone
 */
export function knownValue(value: unknown, maxChars: number, parts: KnownParts): JsonValue | undefined {
  const walk = { left: maxChars, parts };
  try {
    return copied(value, 0, walk);
  } catch {
    // A proxy's trap may throw; the projection deals with it.
    return undefined;
  }
}

interface Walk {
  /** Characters that are left of the limit. */
  left: number;
  readonly parts: KnownParts;
}

function fits(chars: number, walk: Walk): boolean {
  walk.left -= chars;
  return walk.left > 0;
}

function copied(value: unknown, depth: number, walk: Walk): JsonValue | undefined {
  switch (typeof value) {
    case "string":
      return fits(value.length + 3, walk) && walk.parts.isLeft(value) ? value : undefined;
    case "number":
      return Number.isFinite(value) && fits(5, walk) ? value + 0 : undefined;
    case "boolean":
      return fits(5, walk) ? value : undefined;
    case "object":
      if (value === null) return fits(5, walk) ? null : undefined;
      if (depth > MOST_DEPTH) return undefined;
      return Array.isArray(value) ? copiedList(value, depth, walk) : copiedFields(value, depth, walk);
    default:
      return undefined;
  }
}

function copiedList(list: readonly unknown[], depth: number, walk: Walk): JsonValue[] | undefined {
  if (Object.getPrototypeOf(list) !== Array.prototype) return undefined;
  const copies: JsonValue[] = [];
  for (let i = 0; i < list.length; i += 1) {
    const copy = copied(Object.getOwnPropertyDescriptor(list, i)?.value, depth + 1, walk);
    if (copy === undefined) return undefined;
    copies.push(copy);
  }
  return copies;
}

function copiedFields(object: object, depth: number, walk: Walk): JsonObject | undefined {
  const prototype: unknown = Object.getPrototypeOf(object);
  if ((prototype !== Object.prototype && prototype !== null) || "toJSON" in object) return undefined;
  const copies: JsonObject = {};
  const keys = Object.keys(object);
  for (const key of keys) {
    // Not for `{name, value}`, whose name rules over the value.
    if (!walk.parts.isFreeName(key) || (key === "value" && keys.length > 1)) return undefined;
    const field = Object.getOwnPropertyDescriptor(object, key);
    if (field === undefined || field.get !== undefined || field.set !== undefined) return undefined;
    // Left out of an object, as by a projection.
    if (field.value === undefined) continue;
    if (!fits(key.length + 4, walk)) return undefined;
    const copy = copied(field.value, depth + 1, walk);
    // A Buffer that went through JSON is bytes.
    if (copy === undefined || copy === "Buffer") return undefined;
    copies[key] = copy;
  }
  return copies;
}
