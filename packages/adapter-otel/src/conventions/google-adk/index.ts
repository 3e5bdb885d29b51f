import type { OtelSpan } from "../../spans/otel-span.ts";
import { plainResponse } from "../messages/tool-pieces.ts";
import { conversationPieces } from "../messages/conversation.ts";
import { field, isMap, opened, type JsonMap } from "../messages/foreign-json.ts";
import { messagePieces } from "../messages/chat-message.ts";
import type { Piece } from "../messages/piece.ts";
import { toolResult } from "../messages/result-text.ts";
import type { Convention, SpanReading } from "../span-reading.ts";
import { toolName } from "../tool-name.ts";
import {
  callUsage,
  present,
  spanCallId,
  spanCount,
  spanFailure,
  toolFailure,
  spanText,
  spanValueText,
} from "../span-values.ts";

const PREFIX = "gcp.vertex.agent.";
const LLM_REQUEST = `${PREFIX}llm_request`;

/** ADK writes `{}` where content is not captured, and on spans of another kind. */
function content(span: OtelSpan, name: string): JsonMap | undefined {
  const open = opened(span.attributes.get(PREFIX + name));
  return isMap(open) && Object.keys(open).length > 0 ? open : undefined;
}

function modelOutput(span: OtelSpan): readonly Piece[] | undefined {
  const response = content(span, "llm_response");
  if (response === undefined) return undefined;
  const message = field(response, "content");
  return isMap(message) ? messagePieces({ ...message, role: "model" }) : undefined;
}

function readTool(span: OtelSpan): SpanReading {
  const response = content(span, "tool_response");
  const result = toolResult(plainResponse(response));
  return present<SpanReading>({
    role: "tool",
    name: spanText(span, "gen_ai.tool.name") ?? toolName(span.name),
    callId: spanCallId(span, ["gen_ai.tool.call.id"], result),
    args: spanValueText(span, `${PREFIX}tool_call_args`),
    result: result.text,
    ...toolFailure(span, result),
  });
}

/**
 * Google's Agent Development Kit, which puts a model's request and response and a tool's arguments and
 * response as JSON into `gcp.vertex.agent.*`. Its agents are GenAI `invoke_agent` spans.
 */
export const googleAdk: Convention = {
  name: "google-adk",
  owns: (span) =>
    span.attributes.has(LLM_REQUEST) ||
    spanText(span, "gen_ai.system") === "gcp.vertex.agent" ||
    span.scope.name === "gcp.vertex.agent",
  read: (span) => {
    const operation = spanText(span, "gen_ai.operation.name") ?? span.name.split(" ", 1)[0];
    const session = spanText(span, "gen_ai.conversation.id", `${PREFIX}session_id`);
    if (operation === "invocation" || operation === "invoke_agent") {
      const name = spanText(span, "gen_ai.agent.name") ?? span.name.replace(/^\w+ ?/, "");
      return present<SpanReading>({
        role: "run",
        name: name === "" ? operation : name,
        session,
        ...spanFailure(span),
      });
    }
    if (operation === "execute_tool") {
      // The merged span repeats the responses of tools that were called side by side.
      const merged = spanText(span, "gen_ai.tool.name") === "(merged tools)";
      return merged ? { role: "plumbing", name: span.name } : readTool(span);
    }
    if (operation !== "call_llm" && operation !== "generate_content")
      return { role: "plumbing", name: span.name };
    return present<SpanReading>({
      role: "model",
      name: span.name,
      model: spanText(span, "gen_ai.response.model", "gen_ai.request.model"),
      session,
      input: conversationPieces(content(span, "llm_request")),
      output: modelOutput(span),
      ...callUsage(
        spanCount(span, "gen_ai.usage.input_tokens"),
        spanCount(span, "gen_ai.usage.output_tokens"),
      ),
      ...spanFailure(span),
    });
  },
};
