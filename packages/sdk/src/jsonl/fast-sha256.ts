import { createHash } from "node:crypto";

/** SHA-256 in hex by Node itself: several times faster than the portable one, the same digest. */
export function fastSha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}
