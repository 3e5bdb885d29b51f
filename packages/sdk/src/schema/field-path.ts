const SHOWN = 5;

/**
 * A path of keys and positions as people write it: `steps[3].belief_before["odd key"]`. Keys come
 * from the file, so long ones are cut, and of a very deep path only both ends are shown.
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
  if (/^[A-Za-z_][\w-]{0,59}$/.test(name)) return `.${name}`;
  return `[${JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name)}]`;
}
