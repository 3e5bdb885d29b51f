/** A string up to this length is shown whole; of a longer one, which may hold a secret, only its start. */
const LIMIT = 24;
const START = 12;

/**
 * A value and its type in at most about 50 characters, for an error message.
 *
 * Strings are quoted, and of one longer than 24 characters the first 12 are shown: enough to find it, and
 * too little of a secret that stands where an id should. Objects and arrays show their size only, since
 * their contents may be a state, and states never reach an error message.
 */
export function showValue(value: unknown): string {
  if (typeof value === "string") {
    const cut = value.length > LIMIT ? `${value.slice(0, START)}…` : value;
    return `${JSON.stringify(cut)} (string of ${value.length})`;
  }
  if (value === null) return "null";
  if (Array.isArray(value)) return `array of ${value.length}`;
  if (typeof value === "object") return `object with ${Object.keys(value).length} keys`;
  if (typeof value === "function") return "function";
  return `${String(value as number | bigint | boolean | symbol | undefined)} (${typeof value})`;
}
