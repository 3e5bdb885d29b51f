import { fastSha256, newHash, type Hash } from "./state-digest.ts";

/** Below this length a digest of the whole costs less than one that can go on. */
const LONG = 1024;

/**
 * SHA-256 of texts each of which begins as the one before, but for its end. Of long texts only what is new
 * is digested.
 */
export class GrowingDigest {
  #hash: Hash | undefined;
  /** How much of the newest text is in the hash. */
  #done = 0;

  /** @param end length of the end that the next text need not have; no surrogate pair is cut by it */
  of(text: string, end: number): string {
    if (text.length < LONG) return fastSha256(text);
    const hash = (this.#hash ??= newHash());
    if (hash === undefined) return fastSha256(text);
    const stays = text.length - end;
    hash.update(text.slice(this.#done, stays));
    this.#done = stays;
    return hash.copy().update(text.slice(stays)).digest("hex");
  }

  /** The next text begins otherwise. */
  clear(): void {
    this.#hash = undefined;
    this.#done = 0;
  }
}
