import type { ByteWindow } from "./byte-window.ts";
import { gzipDecompressor } from "./decompressor.ts";
import type { OnProblem } from "./framing-problem.ts";

/** Small, so that what one piece of it decompresses to is bounded: gzip reaches 1:1032 at most. */
const PIECE = 1 << 14;

/** The content of gzip data. */
export async function* gunzip(window: ByteWindow, onProblem: OnProblem): AsyncGenerator<Uint8Array> {
  const decompressor = gzipDecompressor();
  try {
    for (;;) {
      const here = Math.min(PIECE, await window.fill(1));
      const { offset } = window;
      const out = await (
        here === 0 ? decompressor.finish() : decompressor.push(window.unread.subarray(0, here))
      ).catch((error: unknown) => {
        const { code, message } = error as NodeJS.ErrnoException;
        if (code === "Z_BUF_ERROR") {
          onProblem({ code: "torn", offset, within: "file", bytes: 0, reason: "gzip data ends too early" });
        } else {
          const reason = `gzip data cannot be decompressed (${message})`;
          onProblem({ code: "corrupt", offset, within: "file", reason });
        }
        return undefined;
      });
      if (out === undefined) return;
      yield* out;
      if (here === 0) return;
      window.consume(here);
    }
  } finally {
    decompressor.close();
  }
}
