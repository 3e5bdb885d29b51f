import type { PythonNode, PythonPart } from "./python-node.ts";

/** Classes that print themselves as a list of pairs of key and value. */
export const PAIRS_OF: ReadonlySet<string> = new Set(["OrderedDict", "dict_items", "odict_items"]);

const LEAVES: ReadonlySet<string> = new Set(["text", "bytes", "scalar", "name"]);

/** A list's value. */
export function listOf(parts: readonly PythonPart[]): unknown[] {
  return parts.map(({ value }) => value.value);
}

/**
 * A key as a name: texts as they are, everything else as JSON. What nests in a key stays as it is
 * printed: escapes of escapes would grow with each level.
 */
function nameOf(key: PythonNode, text: string): string {
  if (typeof key.value === "string") return key.value;
  const isFlat = key.parts.every(({ value }) => LEAVES.has(value.kind));
  return isFlat ? JSON.stringify(key.value) : text.slice(key.start, key.end);
}

/** A dict's value. The last of several equal keys counts. */
export function entriesOf(parts: readonly PythonPart[], text: string): object {
  const entries: [string, unknown][] = [];
  for (const { key, value } of parts) {
    if (key !== undefined) entries.push([nameOf(key, text), value.value]);
  }
  return Object.fromEntries(entries);
}

/** Pairs `('key', value)` as entries of a dict; other elements stay elements. */
export function pairParts(parts: readonly PythonPart[]): PythonPart[] {
  return parts.map((part) => {
    const [key, value, more] = part.value.kind === "tuple" ? part.value.parts : [];
    const isPair = key?.value.kind === "text" && value !== undefined && more === undefined;
    return isPair ? { start: part.start, end: part.end, key: key.value, value: value.value } : part;
  });
}
