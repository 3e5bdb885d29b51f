const MOST_DEPTH = 12;
const MOST_VALUES = 20_000;

/** What the writer still may spend, and the objects it stands inside. */
interface Walk {
  values: number;
  readonly above: Set<object>;
  readonly instead: (value: object) => unknown;
}

function tagged(value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (typeof value === "function") return "[function]";
  if (typeof value === "symbol") return "[symbol]";
  return value;
}

function entriesOf(value: object): [string, unknown][] {
  const entries: [string, unknown][] = [];
  for (const key of Object.keys(value)) {
    let item: unknown;
    try {
      item = (value as Record<string, unknown>)[key];
    } catch {
      // A getter that throws costs its own field and no more.
      item = "[unreadable]";
    }
    if (item !== undefined) entries.push([key, item]);
  }
  return entries;
}

/** Values of the language that JSON would lose; `undefined` when the value is none of them. */
function builtIn(value: object, walk: Walk, depth: number): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
  if (value instanceof Map) return plain([...value.entries()], walk, depth);
  if (value instanceof Set) return plain([...value.values()], walk, depth);
  if (value instanceof Error) return { error: value.name, message: value.message };
  if (ArrayBuffer.isView(value))
    return dataUri(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  if (value instanceof ArrayBuffer) return dataUri(new Uint8Array(value));
  return undefined;
}

function plain(value: unknown, walk: Walk, depth: number): unknown {
  if (typeof value !== "object" || value === null) return tagged(value);
  if (walk.above.has(value)) return "[circular]";
  if (depth > MOST_DEPTH) return "[deep]";
  walk.values -= 1;
  if (walk.values < 0) return "[more]";
  walk.above.add(value);
  try {
    const instead = walk.instead(value);
    if (instead !== undefined) return instead;
    const known = builtIn(value, walk, depth + 1);
    if (known !== undefined) return known;
    if (Array.isArray(value)) return value.map((item) => plain(item, walk, depth + 1) ?? null);
    const copy: Record<string, unknown> = Object.create(null);
    for (const [key, item] of entriesOf(value)) copy[key] = plain(item, walk, depth + 1);
    return copy;
  } finally {
    // Only the path counts: an object that is merely used twice is not a cycle.
    walk.above.delete(value);
  }
}

/** Bytes as a data URI, which the projection of the SDK replaces by media type, length and digest. */
export function dataUri(bytes: Uint8Array, mediaType = "application/octet-stream"): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 8192) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return `data:${mediaType};base64,${btoa(binary)}`;
}

function isPlainLeaf(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value === "string" || typeof value === "boolean" || value === null;
}

/**
 * A copy of an object whose fields are all texts, finite numbers, yes or no, as most arguments of tools
 * are; undefined for any other value.
 */
export function flatCopy(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (Object.getPrototypeOf(value) !== Object.prototype) return undefined;
  const copy: Record<string, unknown> = {};
  try {
    for (const key of Object.keys(value)) {
      const field = (value as Record<string, unknown>)[key];
      if (!isPlainLeaf(field) || key === "__proto__" || key === "toJSON") return undefined;
      copy[key] = field;
    }
  } catch {
    return undefined;
  }
  return copy;
}

/**
 * Any value as text: a string as it is, everything else as JSON.
 *
 * Never throws and never runs a host's `toJSON`. Cycles, functions, throwing getters, bigint, NaN,
 * Date, Map, Set, Error and bytes have a written form; `undefined` fields are left out.
 *
 * @param instead gives what stands in place of an object, already plain; undefined for the object as it is
 */
export function plainText(value: unknown, instead: (value: object) => unknown = () => undefined): string {
  if (typeof value === "string") return value;
  try {
    const flat = flatCopy(value);
    if (flat !== undefined) return JSON.stringify(flat);
    return JSON.stringify(plain(value, { values: MOST_VALUES, above: new Set(), instead }, 0)) ?? "";
  } catch {
    return "[unreadable]";
  }
}
