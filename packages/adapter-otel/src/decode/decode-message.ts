import { isUtf8 } from "node:buffer";
import type { Message } from "../framing/message.ts";
import type { DecodeContext } from "./decode-sink.ts";
import { parseExactJson } from "./exact-json.ts";
import { readJsonPayload } from "./json-payload.ts";
import { readProtoPayload } from "./proto-payload.ts";
import { protoDecoders } from "./proto-types.ts";

/** A message that gave nothing: cut off at its end, or whole and unreadable. */
export interface Undecoded {
  readonly code: "torn" | "bad";
  readonly reason: string;
}

/** Hands the spans and log records of a message to the sink. Never throws for what the message holds. */
export async function decodeMessage(
  message: Message,
  context: DecodeContext,
): Promise<Undecoded | undefined> {
  const { bytes, encoding, whole } = message;
  const cut = whole ? "bad" : "torn";
  if (encoding === "proto") {
    try {
      readProtoPayload(bytes, await protoDecoders(), context);
      return undefined;
    } catch (error) {
      return { code: cut, reason: `no protobuf message of OTLP (${messageOf(error)})` };
    }
  }
  const json = parse(bytes);
  if (typeof json === "string") return { code: cut, reason: json };
  try {
    const reason = readJsonPayload(json.value, context);
    return reason === undefined ? undefined : { code: "bad", reason };
  } catch (error) {
    return { code: "bad", reason: messageOf(error) };
  }
}

/** The value in an envelope, or why there is none. */
function parse(bytes: Buffer): { value: unknown } | string {
  if (!isUtf8(bytes)) return "the text is not valid UTF-8";
  try {
    return { value: parseExactJson(bytes.toString("utf8")) };
  } catch (error) {
    // The engine's message quotes the text, and text of a run does not belong in a report.
    return error instanceof SyntaxError ? `not valid JSON${position(error)}` : "more text than can be held";
  }
}

function position(error: SyntaxError): string {
  const at = /at position (\d+)/.exec(error.message)?.[1];
  return at === undefined ? "" : ` at character ${Number(at) + 1}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "unknown error";
}
