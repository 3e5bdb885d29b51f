/** Deeper JSON is refused: writing and hashing recurse, and would overflow the stack on hostile input. */
const MAX_DEPTH = 1000;

/** What stands in the way of writing a value as JSON, and the keys and positions that lead to it. */
export interface JsonProblem {
  path: PropertyKey[];
  problem: string;
}

/**
 * First number in a value that is not finite, or nesting beyond 1000 levels; undefined when the
 * value is sound. `JSON.parse` itself makes Infinity of `1e999`, and `JSON.stringify` null of that.
 */
export function findJsonProblem(value: unknown): JsonProblem | undefined {
  return find(value, 0);
}

function find(value: unknown, depth: number): JsonProblem | undefined {
  if (typeof value === "number") {
    return Number.isFinite(value) ? undefined : { path: [], problem: `must be finite, got ${value}` };
  }
  if (typeof value !== "object" || value === null) return undefined;
  if (depth === MAX_DEPTH) return { path: [], problem: `is nested deeper than ${MAX_DEPTH} levels` };
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const found = find(value[i], depth + 1);
      if (found !== undefined) return within(i, found);
    }
    return undefined;
  }
  for (const key in value) {
    const found = find((value as Record<string, unknown>)[key], depth + 1);
    if (found !== undefined) return within(key, found);
  }
  return undefined;
}

function within(key: PropertyKey, found: JsonProblem): JsonProblem {
  found.path.unshift(key);
  return found;
}
