import { STATE, TRAJECTORY } from "../asv-spans/attributes.ts";
import type { ProcessedSpan } from "./processed-span.ts";

const LONGEST_ID = 256;
const DIGEST_LENGTH = 64;

/** The id of the trajectory a span belongs to; undefined for what cannot be one. */
export function trajectoryIdOf({ attributes }: ProcessedSpan): string | undefined {
  const id = attributes[TRAJECTORY.id];
  return typeof id === "string" && id !== "" && id.length <= LONGEST_ID ? id : undefined;
}

/**
 * To how many characters the tracer provider cut the span's trajectory id, or may have: its digests, which
 * are longer than most ids, are cut too. Such an id may be the beginning of several.
 */
export function cutLength(id: string, { attributes }: ProcessedSpan): number | undefined {
  for (const name of [STATE.beforeSha256, STATE.afterSha256]) {
    const digest = attributes[name];
    if (typeof digest === "string" && digest.length < DIGEST_LENGTH && id.length >= digest.length) {
      return digest.length;
    }
  }
  return undefined;
}
