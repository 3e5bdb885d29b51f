import { boundExpansion } from "./bound-expansion.ts";
import { ByteWindow } from "./byte-window.ts";
import type { FramingContext } from "./framing-context.ts";
import type { FramingProblem } from "./framing-problem.ts";
import type { Message } from "./message.ts";
import { unzstd } from "./unzstd.ts";
import { isZstdFrame } from "./zstd-header.ts";

const PREFIX = 4;

/**
 * Messages that each stand behind their length as a big-endian uint32. A message may be protobuf, JSON,
 * or a zstd frame with one of them inside.
 */
export async function* lengthPrefixed(window: ByteWindow, context: FramingContext): AsyncGenerator<Message> {
  const { messageLimit, within, onProblem } = context;
  const found = new Set<string>();
  const tell = (part: string): void => {
    if (!found.has(part)) context.onFraming(part);
    found.add(part);
  };
  for (let number = 1; ; number++) {
    const { offset } = window;
    const here = await window.fill(PREFIX);
    if (here === 0) return;
    const at = { offset, within, message: number };
    if (here < PREFIX) {
      window.consume(here);
      onProblem({ code: "torn", ...at, bytes: here, reason: "the source ends within a length prefix" });
      return;
    }
    const length = window.unread.readUInt32BE();
    const whole = PREFIX + length;
    if (length > messageLimit) {
      const passed = await window.skip(whole);
      const reason = `the message is announced with ${length} bytes and the message limit is ${messageLimit}`;
      // A length that leads beyond the end is a cut or a damaged prefix; which of them cannot be told.
      onProblem({ code: passed < whole ? "torn" : "too_long", ...at, bytes: passed, reason });
      continue;
    }
    const read = await window.fill(whole);
    if (read < whole) {
      window.consume(read);
      const reason = `the source ends ${whole - read} bytes before the end of a message`;
      onProblem({ code: "torn", ...at, bytes: read, reason });
      return;
    }
    if (length > 0) {
      const frame = window.unread.subarray(PREFIX, whole);
      const bytes = isZstdFrame(frame) ? await content(frame, at, context) : frame;
      if (bytes !== frame) tell("zstd");
      if (bytes !== undefined) {
        const encoding = isJsonText(bytes) ? "json" : "proto";
        tell(encoding);
        yield { encoding, bytes, number, offset, within, whole: true };
      }
    }
    window.consume(whole);
  }
}

/** True for what can only be JSON: no protobuf message of OTLP begins with a brace. */
function isJsonText(bytes: Buffer): boolean {
  return bytes[0] === 0x7b;
}

/** What is inside a compressed message; undefined, and told, where it cannot be had. */
async function content(
  frame: Buffer,
  at: Pick<FramingProblem, "offset" | "within" | "message">,
  { messageLimit, onProblem }: FramingContext,
): Promise<Buffer | undefined> {
  const compressed = new ByteWindow(only(frame));
  let reason: string | undefined;
  const fail = (problem: FramingProblem): void => {
    reason ??= problem.reason;
  };
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of boundExpansion(unzstd(compressed, fail), compressed, fail)) {
    size += chunk.length;
    if (size > messageLimit) {
      const problem = `the message decompresses to more than ${messageLimit} bytes; raise the message limit to read it`;
      onProblem({ code: "too_long", ...at, bytes: PREFIX + frame.length, reason: problem });
      return undefined;
    }
    chunks.push(chunk);
  }
  if (reason !== undefined) {
    // Half a message is no message: its last spans would look whole.
    onProblem({ code: "bad", ...at, bytes: PREFIX + frame.length, reason });
    return undefined;
  }
  return Buffer.concat(chunks, size);
}

// eslint-disable-next-line @typescript-eslint/require-await -- a stream of one chunk
async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
