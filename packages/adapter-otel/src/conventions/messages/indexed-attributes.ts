import type { Attributes, AttributeValue } from "../../spans/otel-span.ts";

/** Values of flattened attributes: an object by names, a list by numbers. */
export type Flat = AttributeValue | FlatGroup;
export type FlatGroup = Map<string, Flat>;

const DEEPEST = 12;

export function isGroup(value: Flat | undefined): value is FlatGroup {
  return value instanceof Map;
}

/**
 * Attributes that tracers flatten (`llm.input_messages.10.message.role`), put together again under the
 * given prefix. Keys are path parts and never property names.
 */
export function groupAttributes(attributes: Attributes, prefix: string): FlatGroup {
  const group: FlatGroup = new Map();
  const start = `${prefix}.`;
  for (const [key, value] of attributes) {
    if (!key.startsWith(start)) continue;
    const path = key.slice(start.length).split(".");
    if (path.length > DEEPEST) continue;
    let at = group;
    for (const name of path.slice(0, -1)) {
      let inner = at.get(name);
      if (!isGroup(inner)) at.set(name, (inner = new Map()));
      at = inner;
    }
    at.set(path.at(-1)!, value);
  }
  return group;
}

/** The members of a list in the order of their numbers: 10 comes after 9. */
export function numbered(group: Flat | undefined): Flat[] {
  if (!isGroup(group)) return [];
  return [...group]
    .filter(([name]) => /^\d{1,9}$/.test(name))
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([, value]) => value);
}

/** The value under a path of names. */
export function at(group: Flat | undefined, ...path: readonly string[]): Flat | undefined {
  let value = group;
  for (const name of path) value = isGroup(value) ? value.get(name) : undefined;
  return value;
}

/** The text under a path of names. */
export function textAt(group: Flat | undefined, ...path: readonly string[]): string | undefined {
  const value = at(group, ...path);
  return typeof value === "string" ? value : undefined;
}
