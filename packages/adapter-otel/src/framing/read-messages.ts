import { boundExpansion } from "./bound-expansion.ts";
import { ByteWindow } from "./byte-window.ts";
import type { FramingContext } from "./framing-context.ts";
import { gunzip } from "./gunzip.ts";
import { jsonLines } from "./json-lines.ts";
import { jsonValues } from "./json-values.ts";
import { lengthPrefixed } from "./length-prefixed.ts";
import type { Message } from "./message.ts";
import { sniff } from "./sniff.ts";
import { unzstd } from "./unzstd.ts";

/** Compressed data within compressed data, and so on, is no telemetry. */
const LAYERS = 2;

/**
 * The messages of a stream, whatever its framing. What cannot be read goes to `context.onProblem`, with
 * its place; a source that fails while it is read is one such problem. Never throws.
 */
export async function* readMessages(
  chunks: AsyncIterable<Uint8Array>,
  context: FramingContext,
): AsyncGenerator<Message> {
  yield* readLayer(chunks, context, 0);
}

async function* readLayer(
  chunks: AsyncIterable<Uint8Array>,
  context: FramingContext,
  layer: number,
): AsyncGenerator<Message> {
  const { messageLimit, within, onProblem, onFraming } = context;
  let failure: unknown;
  // A failure of the system ends the source like a cut does, and is told as what it is.
  const window = new ByteWindow(untilFailure(chunks, (error) => (failure = error)));
  try {
    const framing = await sniff(window, messageLimit);
    onFraming(framing.kind === "short" ? "unknown" : framing.kind);
    switch (framing.kind) {
      case "empty":
        break;
      case "unknown":
        onProblem({ code: "unknown", offset: window.offset, within, reason: framing.reason });
        break;
      case "short": {
        const reason = "the source ends before it can be told what it is";
        onProblem({ code: "torn", offset: 0, within, bytes: window.unread.length, reason });
        break;
      }
      case "zstd":
      case "gzip": {
        if (layer === LAYERS) {
          onProblem({ code: "unknown", offset: 0, within, reason: "compressed more than twice" });
          break;
        }
        const inner = framing.kind === "zstd" ? unzstd(window, onProblem) : gunzip(window, onProblem);
        const bounded = boundExpansion(inner, window, onProblem);
        yield* readLayer(bounded, { ...context, within: "decompressed" }, layer + 1);
        break;
      }
      case "json-lines":
        yield* jsonLines(window, context);
        break;
      case "json":
        yield* jsonValues(window, context);
        break;
      case "length-prefixed":
        yield* lengthPrefixed(window, context);
        break;
      case "protobuf":
        yield* oneMessage(window, context);
    }
    if (failure !== undefined) {
      onProblem({ code: "unreadable", offset: window.offset, within, reason: reasonOf(failure) });
    }
  } finally {
    await window.close();
  }
}

/** A protobuf message that is the whole stream: the body of an OTLP request. */
async function* oneMessage(window: ByteWindow, context: FramingContext): AsyncGenerator<Message> {
  const { messageLimit, within, onProblem } = context;
  const { offset } = window;
  const length = await window.fill(messageLimit + 1);
  if (length > messageLimit) {
    const reason = `the message is longer than ${messageLimit} bytes; raise the message limit to read it`;
    onProblem({ code: "too_long", offset, within, message: 1, reason });
    return;
  }
  yield { encoding: "proto", bytes: window.unread, number: 1, offset, within, whole: false };
  window.consume(length);
}

async function* untilFailure(
  chunks: AsyncIterable<Uint8Array>,
  onFailure: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    onFailure(error);
  }
}

/** The system's own word for it: a message of a foreign stream may quote anything. */
function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return `reading failed (${typeof code === "string" ? code : "unknown error"})`;
}
