import { hash } from "node:crypto";

/**
 * SHA-256 in hex by Node itself: several times faster than the portable one, the same digest. The
 * one-shot form leaves no native object behind for the garbage collector.
 */
export function fastSha256(data: string | Uint8Array): string {
  return hash("sha256", data, "hex");
}
