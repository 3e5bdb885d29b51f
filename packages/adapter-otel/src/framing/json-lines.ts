import type { ByteWindow } from "./byte-window.ts";
import type { FramingContext } from "./framing-context.ts";
import type { Message } from "./message.ts";

const LINE_FEED = 0x0a;

/** The lines of a stream that are not blank. A line above the limit is passed over and reported. */
export async function* jsonLines(window: ByteWindow, context: FramingContext): AsyncGenerator<Message> {
  const { messageLimit, within, onProblem } = context;
  for (let number = 1; ; number++) {
    const { offset } = window;
    const length = await window.distanceTo(LINE_FEED, messageLimit);
    if (length === "over") {
      const bytes = await window.skipPast(LINE_FEED);
      const reason = `the line is longer than ${messageLimit} bytes; raise the message limit to read it`;
      onProblem({ code: "too_long", offset, within, bytes, message: number, reason });
      continue;
    }
    const line = length === "end" ? window.unread : window.unread.subarray(0, length);
    if (!isBlank(line)) {
      yield { encoding: "json", bytes: line, number, offset, within, whole: length !== "end" };
    }
    if (length === "end") return;
    window.consume(length + 1);
  }
}

function isBlank(bytes: Buffer): boolean {
  for (const byte of bytes) if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false;
  return true;
}
