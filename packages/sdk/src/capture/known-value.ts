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
  try {
    return new Copier(maxChars, parts).copy(value, 0);
  } catch {
    // A proxy's trap may throw; the projection deals with it.
    return undefined;
  }
}

class Copier {
  readonly #parts: KnownParts;
  #left: number;

  constructor(maxChars: number, parts: KnownParts) {
    this.#left = maxChars;
    this.#parts = parts;
  }

  copy(value: unknown, depth: number): JsonValue | undefined {
    switch (typeof value) {
      case "string":
        return this.#spend(value.length + 3) && this.#parts.isLeft(value) ? value : undefined;
      case "number":
        return Number.isFinite(value) && this.#spend(5) ? value + 0 : undefined;
      case "boolean":
        return this.#spend(5) ? value : undefined;
      case "object":
        if (value === null) return this.#spend(5) ? null : undefined;
        if (depth > MOST_DEPTH) return undefined;
        return Array.isArray(value) ? this.#list(value, depth) : this.#fields(value, depth);
      default:
        return undefined;
    }
  }

  #spend(chars: number): boolean {
    this.#left -= chars;
    return this.#left > 0;
  }

  #list(list: readonly unknown[], depth: number): JsonValue[] | undefined {
    if (Object.getPrototypeOf(list) !== Array.prototype) return undefined;
    const copies: JsonValue[] = [];
    for (let i = 0; i < list.length; i += 1) {
      const copy = this.copy(Object.getOwnPropertyDescriptor(list, i)?.value, depth + 1);
      if (copy === undefined) return undefined;
      copies.push(copy);
    }
    return copies;
  }

  #fields(object: object, depth: number): JsonObject | undefined {
    const prototype: unknown = Object.getPrototypeOf(object);
    if ((prototype !== Object.prototype && prototype !== null) || "toJSON" in object) return undefined;
    const copies: JsonObject = {};
    const keys = Object.keys(object);
    for (const key of keys) {
      // Not for `{name, value}`, whose name rules over the value.
      if (!this.#parts.isFreeName(key) || (key === "value" && keys.length > 1)) return undefined;
      const field = Object.getOwnPropertyDescriptor(object, key);
      if (field === undefined || field.get !== undefined || field.set !== undefined) return undefined;
      // Left out of an object, as by a projection.
      if (field.value === undefined) continue;
      if (!this.#spend(key.length + 4)) return undefined;
      const copy = this.copy(field.value, depth + 1);
      // A Buffer that went through JSON is bytes.
      if (copy === undefined || copy === "Buffer") return undefined;
      copies[key] = copy;
    }
    return copies;
  }
}
