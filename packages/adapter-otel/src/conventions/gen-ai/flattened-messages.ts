import type { OtelSpan } from "../../spans/otel-span.ts";
import { messageListPieces } from "../messages/chat-message.ts";
import { completionPieces, promptPieces } from "../messages/conversation.ts";
import { at, groupAttributes, numbered, textAt, type Flat } from "../messages/indexed-attributes.ts";
import { spanValue } from "../span-values.ts";
import type { Messages } from "./event-messages.ts";

function message(entry: Flat): object {
  return {
    role: textAt(entry, "role") ?? "user",
    content: at(entry, "content") ?? "",
    tool_call_id: textAt(entry, "tool_call_id"),
    reasoning: textAt(entry, "reasoning"),
    tool_calls: numbered(at(entry, "tool_calls")).map((call) => ({
      id: textAt(call, "id"),
      name: textAt(call, "name") ?? textAt(call, "function", "name"),
      arguments: textAt(call, "arguments") ?? textAt(call, "function", "arguments"),
    })),
  };
}

/** `gen_ai.prompt.N.*` and `gen_ai.completion.N.*`, or all of it in `gen_ai.prompt` and `gen_ai.completion`. */
export function flattenedMessages(span: OtelSpan): Messages {
  const prompts = numbered(groupAttributes(span.attributes, "gen_ai.prompt")).map(message);
  const [completion] = numbered(groupAttributes(span.attributes, "gen_ai.completion"));
  const asked = spanValue(span, "gen_ai.prompt");
  return {
    input: prompts.length > 0 ? messageListPieces(prompts) : promptPieces(asked),
    output:
      completion === undefined
        ? completionPieces(spanValue(span, "gen_ai.completion"))
        : messageListPieces([{ ...message(completion), role: "assistant" }]),
  };
}
