/** What stands for an id where none was known; taken for one, it would make all such calls the same. */
const NO_ID = /^(?:unknown|none|null|undefined|n\/a|-)$/i;

/** The id of a tool call, with which its result is found; undefined for what is none. */
export function callIdOf(...values: readonly unknown[]): string | undefined {
  for (const value of values) {
    const id = typeof value === "number" || typeof value === "bigint" ? String(value) : value;
    if (typeof id === "string" && id.trim() !== "" && !NO_ID.test(id.trim())) return id;
  }
  return undefined;
}
