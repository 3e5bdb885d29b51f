import type { ByteWindow } from "./byte-window.ts";
import { zstdDecompressor, type Decompressor } from "./decompressor.ts";
import type { OnProblem } from "./framing-problem.ts";
import { isSkippableFrame, isZstdFrame, ZSTD_HEADER_LIMIT, zstdHeader } from "./zstd-header.ts";

const BLOCK_LIMIT = 1 << 17;

/** What a problem in the compressed data is reported with. */
interface Frame {
  readonly start: number;
  readonly onProblem: OnProblem;
  readonly window: ByteWindow;
}

/**
 * The content of all zstd frames of a stream. The frames' own headers are followed block by block: a
 * native decompressor that gets two frames at once gives the first and drops the second in silence,
 * and only so is it known at which byte a cut stream ends and how much a piece can grow.
 */
export async function* unzstd(window: ByteWindow, onProblem: OnProblem): AsyncGenerator<Uint8Array> {
  while ((await window.fill(4)) > 0) {
    const frame = { start: window.offset, onProblem, window };
    if (isSkippableFrame(window.unread)) {
      if (!(await skipFrame(frame))) return;
    } else if (isZstdFrame(window.unread)) {
      if (!(yield* frameContent(frame))) return;
    } else if (window.unread.length < 4) {
      torn(frame, "the source ends within a zstd frame header");
      return;
    } else {
      corrupt(frame, "no zstd frame begins here");
      return;
    }
  }
}

async function skipFrame(frame: Frame): Promise<boolean> {
  const { window } = frame;
  if ((await window.fill(8)) >= 8) {
    const length = 8 + window.unread.readUInt32LE(4);
    if ((await window.skip(length)) === length) return true;
  }
  torn(frame, "the source ends within a skippable zstd frame");
  return false;
}

/** Gives false where nothing behind this frame can be read. */
async function* frameContent(frame: Frame): AsyncGenerator<Uint8Array, boolean> {
  const { window } = frame;
  await window.fill(ZSTD_HEADER_LIMIT);
  const header = zstdHeader(window.unread);
  if (header === undefined) return torn(frame, "the source ends within a zstd frame header");
  if (typeof header === "string") return corrupt(frame, header);
  const decompressor = await zstdDecompressor();
  try {
    if (!(yield* pushed(frame, decompressor, header.length))) return false;
    for (let last = false; !last;) {
      if ((await window.fill(3)) < 3) return torn(frame, "the source ends within a zstd frame");
      const block = window.unread.readUIntLE(0, 3);
      last = (block & 1) === 1;
      const type = (block >> 1) & 3;
      const size = block >> 3;
      if (type === 3 || size > BLOCK_LIMIT) return corrupt(frame, "a zstd block header is not sound");
      const length = 3 + (type === 1 ? 1 : size) + (last && header.checksum ? 4 : 0);
      if ((await window.fill(length)) < length) return torn(frame, "the source ends within a zstd block");
      if (!(yield* pushed(frame, decompressor, length))) return false;
    }
    const rest = await decompressor.finish().catch((error: unknown) => reasonOf(error));
    if (typeof rest === "string") return corrupt(frame, rest);
    yield* rest;
    return true;
  } finally {
    decompressor.close();
  }
}

async function* pushed(
  frame: Frame,
  decompressor: Decompressor,
  length: number,
): AsyncGenerator<Uint8Array, boolean> {
  const { window } = frame;
  const out = await decompressor
    .push(window.unread.subarray(0, length))
    .catch((error: unknown) => reasonOf(error));
  if (typeof out === "string") return corrupt(frame, out);
  window.consume(length);
  yield* out;
  return true;
}

function reasonOf(error: unknown): string {
  return `zstd data cannot be decompressed (${error instanceof Error ? error.message : String(error)})`;
}

/** The stretch begins with the frame, and ends where the source does. */
function torn({ start, window, onProblem }: Frame, reason: string): false {
  const bytes = window.offset + window.unread.length - start;
  onProblem({ code: "torn", offset: start, within: "file", bytes, reason });
  return false;
}

/** The place is that of the block that could not be read. */
function corrupt({ window, onProblem }: Frame, reason: string): false {
  onProblem({ code: "corrupt", offset: window.offset, within: "file", reason });
  return false;
}
