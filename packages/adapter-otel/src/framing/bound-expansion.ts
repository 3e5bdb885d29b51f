import type { ByteWindow } from "./byte-window.ts";
import type { OnProblem } from "./framing-problem.ts";

/** So much may come of anything. */
const FREE = 1 << 26;
/**
 * Beyond that, so many bytes of each compressed one. Every span has 24 random bytes of ids, so telemetry
 * stays far below; gzip cannot reach it; zstd makes 32,000 bytes of one when it is meant to.
 */
const FACTOR = 10_000;

/** Passes decompressed chunks on until they are far more than any telemetry gives. */
export async function* boundExpansion(
  chunks: AsyncIterable<Uint8Array>,
  compressed: ByteWindow,
  onProblem: OnProblem,
): AsyncGenerator<Uint8Array> {
  let out = 0;
  for await (const chunk of chunks) {
    out += chunk.length;
    const consumed = compressed.offset;
    if (out > FREE && out > FACTOR * consumed) {
      const reason = `${consumed} bytes had decompressed to ${out}; the source is not read any further`;
      onProblem({ code: "expansion", offset: consumed, within: "file", reason });
      return;
    }
    yield chunk;
  }
}
