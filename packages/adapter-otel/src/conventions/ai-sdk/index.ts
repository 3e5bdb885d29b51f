import type { OtelSpan } from "../../spans/otel-span.ts";
import { sideCalls } from "../messages/tool-pieces.ts";
import { conversationPieces } from "../messages/conversation.ts";
import { opened, textOf } from "../messages/foreign-json.ts";
import type { Piece } from "../messages/piece.ts";
import { toolResult } from "../messages/result-text.ts";
import { runQuestion } from "../messages/run-question.ts";
import type { Convention, SpanReading } from "../span-reading.ts";
import {
  callUsage,
  present,
  spanCallId,
  spanCount,
  spanFailure,
  spanText,
  spanValue,
  spanValueText,
} from "../span-values.ts";

const OPERATION = "ai.operationId";
const RUN = /^ai\.(?:generateText|streamText|generateObject|streamObject|workflowAgent\.stream)$/;
const CALL = /^ai\.(?:generateText|streamText|generateObject|streamObject)\.(?:doGenerate|doStream)$/;

/** Reasoning is a text, or a list of parts in some versions. */
function reasoningPieces(value: unknown): Piece[] {
  const open = opened(value);
  if (typeof open === "string") return open === "" ? [] : [{ is: "reasoning", text: open }];
  const parts: readonly unknown[] = Array.isArray(open) ? open : [];
  const texts = parts.map((part) => textOf((part as { text?: unknown } | null)?.text) ?? "");
  return texts.filter((text) => text !== "").map((text): Piece => ({ is: "reasoning", text }));
}

function outputPieces(span: OtelSpan): readonly Piece[] | undefined {
  const text = spanText(span, "ai.response.text", "ai.result.text");
  const object = spanValueText(span, "ai.response.object", "ai.result.object");
  const calls = sideCalls(spanValue(span, "ai.response.toolCalls", "ai.result.toolCalls"));
  const pieces: Piece[] = reasoningPieces(spanValue(span, "ai.response.reasoning"));
  if (text !== undefined) pieces.push({ is: "text", role: "assistant", text });
  if (object !== undefined) pieces.push({ is: "text", role: "assistant", text: object });
  pieces.push(...calls);
  return pieces.length > 0 ? pieces : undefined;
}

function readModel(span: OtelSpan): SpanReading {
  return present<SpanReading>({
    role: "model",
    name: span.name,
    model: spanText(span, "ai.response.model", "ai.model.id", "gen_ai.request.model"),
    input: conversationPieces(spanValue(span, "ai.prompt.messages")),
    output: outputPieces(span),
    ...callUsage(
      spanCount(span, "ai.usage.inputTokens", "ai.usage.promptTokens", "gen_ai.usage.input_tokens"),
      spanCount(span, "ai.usage.outputTokens", "ai.usage.completionTokens", "gen_ai.usage.output_tokens"),
    ),
    ...spanFailure(span),
  });
}

function readTool(span: OtelSpan): SpanReading {
  const result = toolResult(spanValue(span, "ai.toolCall.result", "ai.toolCall.output"));
  return present<SpanReading>({
    role: "tool",
    name: spanText(span, "ai.toolCall.name") ?? span.name,
    callId: spanCallId(span, ["ai.toolCall.id"], result),
    args: spanValueText(span, "ai.toolCall.args", "ai.toolCall.input"),
    result: result.text,
    failed: result.failed ? true : undefined,
    ...spanFailure(span),
  });
}

/**
 * Spans that AI SDK 4 to 6 write themselves, and 7 through `LegacyOpenTelemetry`: `ai.generateText` and
 * its kin are runs, `.doGenerate` and `.doStream` their model calls, `ai.toolCall` their tools. Request
 * headers stand beside them and are never read. Version 7's newer class writes GenAI conventions.
 */
export const aiSdk: Convention = {
  name: "ai-sdk",
  owns: (span) => spanText(span, OPERATION) !== undefined,
  read: (span) => {
    const operation = spanText(span, OPERATION) ?? "";
    if (CALL.test(operation)) return readModel(span);
    if (operation === "ai.toolCall") return readTool(span);
    if (!RUN.test(operation)) return { role: "plumbing", name: span.name };
    return present<SpanReading>({
      role: "run",
      name: spanText(span, "ai.telemetry.functionId") ?? operation,
      wrapsCalls: true,
      question: () => runQuestion(spanValue(span, "ai.prompt", "ai.prompt.messages")),
      outcome: () => outputPieces(span),
      ...spanFailure(span),
    });
  },
};
