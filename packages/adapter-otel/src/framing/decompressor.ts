import { once } from "node:events";
import type { Transform } from "node:stream";
import zlib from "node:zlib";

/** Decompresses one frame or member, a piece at a time, so that what a piece gives is bounded by its size. */
export interface Decompressor {
  /** What came out up to the end of this piece. Rejects for data that is not sound. */
  push(piece: Uint8Array): Promise<Uint8Array[]>;
  /** What is still to come when there are no more pieces. */
  finish(): Promise<Uint8Array[]>;
  /** Frees the native memory; may be called at any time. */
  close(): void;
}

/**
 * A decompressor of one zstd frame: Node's own where it has one (22.15 and later), else a JavaScript
 * one, which does not compare the frame's checksum.
 */
export async function zstdDecompressor(): Promise<Decompressor> {
  // Absent on Node 20, whatever the types say.
  const create = (zlib as Partial<typeof zlib>).createZstdDecompress;
  if (create !== undefined) return new StreamDecompressor(create());
  const { Decompress } = await import("fzstd");
  return portableDecompressor(Decompress);
}

/** A decompressor of gzip data, of several members too. */
export function gzipDecompressor(): Decompressor {
  return new StreamDecompressor(zlib.createGunzip());
}

function portableDecompressor(Decompress: typeof import("fzstd").Decompress): Decompressor {
  let out: Uint8Array[] = [];
  const stream = new Decompress((chunk) => {
    // The chunk is a view of a window that moves on.
    if (chunk.length > 0) out.push(chunk.slice());
  });
  const take = (piece: Uint8Array, last: boolean): Promise<Uint8Array[]> => {
    out = [];
    try {
      stream.push(piece, last);
      return Promise.resolve(out);
    } catch (error) {
      return Promise.reject(error as Error);
    }
  };
  return {
    push: (piece) => take(piece, false),
    finish: () => take(new Uint8Array(0), true),
    close: () => {},
  };
}

/**
 * Drives a zlib stream in lockstep, one piece in and all of its output back: with a pipe, an error in
 * a later piece would throw away output of earlier ones.
 */
class StreamDecompressor implements Decompressor {
  readonly #stream: Transform;
  #error: Error | undefined;
  #wake: () => void = () => undefined;

  constructor(stream: Transform) {
    this.#stream = stream;
    stream.on("readable", () => this.#wake());
    stream.on("error", (error: Error) => {
      this.#error = error;
      this.#wake();
    });
  }

  async push(piece: Uint8Array): Promise<Uint8Array[]> {
    let taken = false;
    this.#stream.write(piece, () => {
      taken = true;
      this.#wake();
    });
    return this.#until(() => taken);
  }

  async finish(): Promise<Uint8Array[]> {
    const ended = once(this.#stream, "end").catch(() => undefined);
    let over = false;
    void ended.then(() => {
      over = true;
      this.#wake();
    });
    this.#stream.end();
    return this.#until(() => over);
  }

  close(): void {
    this.#stream.destroy();
  }

  async #until(done: () => boolean): Promise<Uint8Array[]> {
    const out: Uint8Array[] = [];
    for (;;) {
      for (let chunk; (chunk = this.#stream.read() as Buffer | null) !== null;) out.push(chunk);
      if (this.#error !== undefined) throw this.#error;
      if (done()) return out;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
