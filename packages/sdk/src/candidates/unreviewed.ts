import type { JsonObject } from "../schema/index.ts";

/** Key of a set that no person has looked at yet. While it is there, the set cannot be frozen. */
export const UNREVIEWED = "unreviewed";

/** Whether a set is marked as not yet reviewed. */
export function isUnreviewed({ extra }: { extra?: JsonObject }): boolean {
  return extra !== undefined && Object.hasOwn(extra, UNREVIEWED) && extra[UNREVIEWED] !== false;
}

/** The same unknown keys without the mark; undefined when nothing is left. */
export function withoutMark(extra: JsonObject | undefined): JsonObject | undefined {
  if (extra === undefined) return undefined;
  const { [UNREVIEWED]: _mark, ...rest } = extra;
  return Object.keys(rest).length === 0 ? undefined : rest;
}
