import type { MediaTexts } from "./media-texts.ts";

const MOST_DEPTH = 12;
const MOST_VALUES = 50_000;

/** What the writer still may spend, and the objects it stands inside. */
interface Walk {
  values: number;
  readonly above: Set<object>;
  readonly media: MediaTexts;
}

/**
 * True for a value that JSON writes as it is: texts, finite numbers, yes, no, null, plain objects and
 * lists of them, small enough.
 */
function isPlainJson(value: unknown, depth: number, walk: { values: number }): boolean {
  walk.values -= 1;
  if (walk.values < 0) return false;
  if (typeof value === "string" || typeof value === "boolean" || value === null) return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || depth > MOST_DEPTH) return false;
  if (typeof (value as { toJSON?: unknown }).toJSON === "function") return false;
  if (Array.isArray(value)) return value.every((item) => isPlainJson(item, depth + 1, walk));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const key of Object.keys(value)) {
    const field = Object.getOwnPropertyDescriptor(value, key);
    // A getter may throw, or give something else the next time.
    if (field?.get !== undefined) return false;
    if (field?.value !== undefined && !isPlainJson(field.value, depth + 1, walk)) return false;
  }
  return true;
}

function tagged(value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (typeof value === "function") return "[function]";
  if (typeof value === "symbol") return "[symbol]";
  return value;
}

/** Values of the language that JSON would lose; `undefined` when the value is none of them. */
function builtIn(value: object, walk: Walk, depth: number): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
  if (value instanceof URL) return value.href;
  if (value instanceof Map) return plain([...value.entries()], walk, depth);
  if (value instanceof Set) return plain([...value.values()], walk, depth);
  if (value instanceof Error) return { error: value.name, message: value.message };
  return walk.media.bytes(value);
}

function fieldsOf(value: object, walk: Walk, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(value)) {
    if (walk.values < 0) {
      copy["more"] = "[more]";
      break;
    }
    let field: unknown;
    try {
      field = (value as Record<string, unknown>)[key];
    } catch {
      // A getter that throws costs its own field and no more.
      field = "[unreadable]";
    }
    if (field !== undefined) copy[key] = plain(field, walk, depth);
  }
  return copy;
}

function listOf(value: readonly unknown[], walk: Walk, depth: number): unknown[] {
  const copy: unknown[] = [];
  for (const item of value) {
    copy.push(walk.values < 0 ? "[more]" : (plain(item, walk, depth) ?? null));
    if (walk.values < 0) break;
  }
  return copy;
}

function plain(value: unknown, walk: Walk, depth: number): unknown {
  walk.values -= 1;
  if (walk.values < 0) return "[more]";
  if (typeof value !== "object" || value === null) return tagged(value);
  if (walk.above.has(value)) return "[circular]";
  if (depth > MOST_DEPTH) return "[deep]";
  walk.above.add(value);
  try {
    const known = builtIn(value, walk, depth + 1);
    if (known !== undefined) return known;
    if (Array.isArray(value)) return listOf(value, walk, depth + 1);
    return fieldsOf(value, walk, depth + 1);
  } finally {
    // Only the path counts: an object that is merely used twice is not a cycle.
    walk.above.delete(value);
  }
}

/** A value as plain JSON data, itself where it is that already; see {@link plainText}. Never throws. */
export function plainValue(value: unknown, media: MediaTexts): unknown {
  try {
    if (isPlainJson(value, 0, { values: MOST_VALUES })) return value;
    return plain(value, { values: MOST_VALUES, above: new Set(), media }, 0);
  } catch {
    return "[unreadable]";
  }
}

/**
 * Any value as text: a string as it is, everything else as JSON.
 *
 * Never throws and never runs a host's `toJSON`. Cycles, functions, throwing getters, bigint, NaN, Date,
 * URL, Map, Set, Error and bytes have a written form; `undefined` fields are left out.
 */
export function plainText(value: unknown, media: MediaTexts): string {
  if (typeof value === "string") return value;
  try {
    if (isPlainJson(value, 0, { values: MOST_VALUES })) return JSON.stringify(value);
    return JSON.stringify(plain(value, { values: MOST_VALUES, above: new Set(), media }, 0)) ?? "";
  } catch {
    return "[unreadable]";
  }
}
