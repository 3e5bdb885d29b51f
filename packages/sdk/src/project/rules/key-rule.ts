/**
 * A rule about object keys, at any depth.
 *
 * Names are compared whole, without case and separators (`goldAnswer` = `gold_answer`), so that a
 * word inside a longer name never fires it.
 */
export interface KeyRule {
  /** `a-z`, `0-9` and `-`, at most 40; names the rule in reports and placeholders. */
  readonly id: string;
  readonly when: {
    /** Whole names, or a test of the name where a list does not do. */
    readonly name: readonly string[] | ((name: string) => boolean);
    /** Further condition on the value; without it the value is never read. */
    readonly value?: (value: unknown, name: string) => boolean;
  };
  /** `remove` drops key and value; `replace` keeps the key with a placeholder. */
  readonly do: "remove" | "replace";
  /** The value is a secret wherever it stands, not only unfit for an evaluator. */
  readonly secret?: boolean;
}

/** True for a yes/no or a number, also written as one word; false for prose, lists and objects. */
export function isFlagValue(value: unknown): boolean {
  if (value === null || typeof value === "boolean" || typeof value === "number") return true;
  return typeof value === "string" && value.length <= 32 && !/\s/.test(value.trim());
}
