import { QUALITY_FLAGS, type QualityFlag } from "../schema/index.ts";

/** Flags once each, in the order of the closed list, so that equal flags are equal bytes. */
export function sortFlags(...lists: readonly (readonly QualityFlag[])[]): QualityFlag[] {
  const held = new Set(lists.flat());
  return QUALITY_FLAGS.filter((flag) => held.has(flag));
}
