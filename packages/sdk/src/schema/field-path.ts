const SHOWN = 5;
/** Longer keys are no field names of records; candidate ids are keys too, and may hold a secret. */
const LONGEST_KEY = 32;
const KEY_START = 12;

/**
 * A path of keys and positions as people write it: `steps[3].belief_before["odd key"]`. Keys come
 * from the file, so of long ones only the start is shown, and of a very deep path only both ends are shown.
 */
export function fieldPath(path: readonly PropertyKey[]): string {
  const parts = path.map(part);
  if (parts.length <= 4 * SHOWN) return parts.join("").replace(/^\./, "");
  const ends = [...parts.slice(0, SHOWN), "…", ...parts.slice(-SHOWN)];
  return ends.join("").replace(/^\./, "");
}

function part(key: PropertyKey): string {
  if (typeof key === "number") return `[${key}]`;
  const name = String(key);
  if (name.length > LONGEST_KEY) return `[${JSON.stringify(`${name.slice(0, KEY_START)}…`)}]`;
  return /^[A-Za-z_][\w-]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}
