import type { ByteWindow } from "./byte-window.ts";
import type { FramingContext } from "./framing-context.ts";
import { isJsonSpace, JsonScanner } from "./json-scanner.ts";
import type { Message } from "./message.ts";

const COMMA = 0x2c;
const LINE_FEED = 0x0a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

/**
 * The JSON objects of a document, or of several one after the other, however they are laid out. The
 * elements of an outermost array come one by one, so that a long array of spans is never held whole.
 */
export async function* jsonValues(window: ByteWindow, context: FramingContext): AsyncGenerator<Message> {
  const { within, onProblem } = context;
  let inArray = false;
  for (let number = 1; ;) {
    if ((await window.fill(1)) === 0) {
      if (inArray) {
        const reason = "the array is not closed";
        onProblem({ code: "torn", offset: window.offset, within, bytes: 0, message: number, reason });
      }
      return;
    }
    const byte = window.unread[0]!;
    if (isJsonSpace(byte) || (inArray && byte === COMMA)) {
      window.consume(1);
    } else if (!inArray && byte === OPEN_ARRAY) {
      inArray = true;
      window.consume(1);
    } else if (inArray && byte === CLOSE_ARRAY) {
      inArray = false;
      window.consume(1);
    } else {
      const { offset } = window;
      const length = await valueLength(window, context, number);
      if (length === "over") {
        const bytes = await skipValue(window);
        const reason = `the value is longer than ${context.messageLimit} bytes; raise the message limit to read it`;
        onProblem({ code: "too_long", offset, within, bytes, message: number, reason });
      } else if (length === "torn") {
        return;
      } else if (length !== "none") {
        const bytes = window.unread.subarray(0, length);
        yield { encoding: "json", bytes, number, offset, within, whole: true };
        window.consume(length);
      }
      number++;
    }
  }
}

/** Length of the object or array that begins here; `none` where none does, `torn` where it has no end. */
async function valueLength(
  window: ByteWindow,
  { messageLimit, within, onProblem }: FramingContext,
  message: number,
): Promise<number | "over" | "none" | "torn"> {
  const { offset } = window;
  const first = window.unread[0];
  if (first !== 0x7b && first !== OPEN_ARRAY) {
    const bytes = await window.skipPast(LINE_FEED);
    onProblem({ code: "bad", offset, within, bytes, message, reason: "no JSON object begins here" });
    return "none";
  }
  const scanner = new JsonScanner();
  for (let at = 0; ;) {
    const { unread } = window;
    for (; at < unread.length; at++) {
      if (scanner.step(unread[at]!) === -1 && scanner.depth === 0) return at + 1;
    }
    if (at > messageLimit) return "over";
    if ((await window.fill(at + 1)) === at) {
      window.consume(at);
      const reason = "the source ends within a JSON value";
      onProblem({ code: "torn", offset, within, bytes: at, message, reason });
      return "torn";
    }
  }
}

/** Moves past a value that is too long to hold. */
async function skipValue(window: ByteWindow): Promise<number> {
  const scanner = new JsonScanner();
  for (let passed = 0; ;) {
    const { unread } = window;
    for (let at = 0; at < unread.length; at++) {
      if (scanner.step(unread[at]!) === -1 && scanner.depth === 0) {
        window.consume(at + 1);
        return passed + at + 1;
      }
    }
    passed += unread.length;
    window.consume(unread.length);
    if ((await window.fill(1)) === 0) return passed;
  }
}
