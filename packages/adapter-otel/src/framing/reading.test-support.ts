import type { FramingProblem } from "./framing-problem.ts";
import { inPieces } from "./framings.test-support.ts";
import { readMessages } from "./read-messages.ts";

export interface ReadFraming {
  framing: string;
  messages: { number: number; offset: number; within: string; text: string; whole: boolean }[];
  problems: FramingProblem[];
}

/** Everything that comes of some bytes. */
export async function readFraming(
  bytes: Uint8Array,
  piece = 65_536,
  messageLimit = 1 << 20,
): Promise<ReadFraming> {
  const read: ReadFraming = { framing: "", messages: [], problems: [] };
  const parts: string[] = [];
  const messages = readMessages(inPieces(bytes, piece), {
    messageLimit,
    within: "file",
    onProblem: (problem) => read.problems.push(problem),
    onFraming: (part) => parts.push(part),
  });
  for await (const { bytes: held, number, offset, within, whole } of messages) {
    read.messages.push({ number, offset, within, whole, text: held.toString("latin1") });
  }
  return { ...read, framing: parts.join("+") };
}
