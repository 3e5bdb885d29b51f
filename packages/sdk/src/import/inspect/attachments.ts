import { isJsonObject, type JsonObject, type JsonValue } from "../../schema/index.ts";

/** A text kept once and referred to; `tc://` is how older logs write it. */
const REFERENCE = /^(?:attachment|tc):\/\//;
/** Deeper than any message; hostile nesting ends here. */
const MOST_DEPTH = 40;

/** Puts the long texts of a sample back where its messages and events refer to them. */
export interface Attachments {
  /** The value with every reference in it resolved; the same object where there is none. */
  resolve(value: JsonValue): JsonValue;
  /** References to what the log does not hold. */
  readonly missing: number;
}

export function attachmentsOf(sample: JsonObject): Attachments {
  const kept = isJsonObject(sample["attachments"]) ? sample["attachments"] : {};
  let missing = 0;
  const text = (reference: string): string => {
    if (!REFERENCE.test(reference)) return reference;
    const key = reference.replace(REFERENCE, "");
    const found = Object.hasOwn(kept, key) ? kept[key] : undefined;
    if (typeof found === "string") return found;
    missing += 1;
    return reference;
  };
  const resolve = (value: JsonValue, depth: number): JsonValue => {
    if (typeof value === "string") return text(value);
    if (typeof value !== "object" || value === null || depth > MOST_DEPTH) return value;
    if (Array.isArray(value)) return resolveItems(value, depth);
    let copy: JsonObject | undefined;
    for (const [key, inner] of Object.entries(value)) {
      const resolved = resolve(inner, depth + 1);
      if (resolved === inner || key === "__proto__") continue;
      copy ??= { ...value };
      copy[key] = resolved;
    }
    return copy ?? value;
  };
  const resolveItems = (items: JsonValue[], depth: number): JsonValue[] => {
    const resolved = items.map((item) => resolve(item, depth + 1));
    return resolved.some((item, i) => item !== items[i]) ? resolved : items;
  };
  return {
    resolve: (value) => resolve(value, 0),
    get missing() {
      return missing;
    },
  };
}
