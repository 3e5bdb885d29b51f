import type { OtelLog, OtelSpan } from "../../spans/otel-span.ts";
import { textOf } from "../messages/foreign-json.ts";
import { runQuestion } from "../messages/run-question.ts";
import { toolResult } from "../messages/result-text.ts";
import type { Convention, SpanReading, SpanRole } from "../span-reading.ts";
import { toolName } from "../tool-name.ts";
import {
  callUsage,
  present,
  spanCount,
  spanFailure,
  spanText,
  spanValue,
  spanValueText,
} from "../span-values.ts";
import { documentPieces } from "../messages/document-pieces.ts";
import { modelMessages } from "./model-messages.ts";

/** `gen_ai.operation.name`, which is reliable where span names are not; vendors' own words beside the standard's. */
const ROLES: ReadonlyMap<string, SpanRole> = new Map([
  ["invoke_agent", "run"],
  ["invoke_workflow", "run"],
  ["workflow", "run"],
  ["agent", "run"],
  ["chat", "model"],
  ["call_llm", "model"],
  ["completion", "model"],
  ["generate_content", "model"],
  ["text_completion", "model"],
  ["responses", "model"],
  ["plan", "model"],
  ["execute_tool", "tool"],
  ["retrieval", "retrieval"],
  ["retrieve", "retrieval"],
  ["search_memory", "retrieval"],
  ["rerank", "retrieval"],
  ["evaluate", "evaluation"],
  ["evaluation", "evaluation"],
]);

/** Keys that only a model call of the older generations has. */
function isOldCall(span: OtelSpan): boolean {
  for (const key of span.attributes.keys()) {
    if (/^gen_ai\.(?:prompt|completion)(?:\.|$)/.test(key) || key === "llm.request.type") return true;
  }
  return span.events.some(
    (event) => event.name.startsWith("gen_ai.content.") || event.name === "gen_ai.choice",
  );
}

function roleOf(span: OtelSpan): SpanRole {
  const operation = spanText(span, "gen_ai.operation.name");
  if (operation !== undefined) return ROLES.get(operation) ?? "plumbing";
  return spanValue(span, "gen_ai.input.messages", "gen_ai.output.messages") !== undefined || isOldCall(span)
    ? "model"
    : "plumbing";
}

/** The name behind an operation in a span's name: `execute_tool search`. */
function nameBehind(span: OtelSpan, word: string): string | undefined {
  return span.name.startsWith(`${word} `) ? span.name.slice(word.length + 1).trim() || undefined : undefined;
}

/** The body or attributes of the span's events and logs by name, where older emitters put a tool's result. */
function toolMessage(span: OtelSpan, logs: readonly OtelLog[]): unknown {
  const event = span.events.find(({ name }) => name === "gen_ai.tool.message" || name === "gen_ai.choice");
  const log = logs.find(({ eventName }) => eventName === "gen_ai.tool.message");
  return event?.attributes.get("content") ?? log?.body;
}

function readTool(span: OtelSpan, logs: readonly OtelLog[]): SpanReading {
  const raw = spanValue(
    span,
    "gen_ai.tool.call.result",
    "gen_ai.output",
    "gen_ai.tool.output",
    "gen_ai.tool.result",
  );
  const result = toolResult(raw ?? toolMessage(span, logs));
  const failure = spanFailure(span);
  return present<SpanReading>({
    role: "tool",
    name: spanText(span, "gen_ai.tool.name") ?? toolName(span.name),
    callId: spanText(span, "gen_ai.tool.call.id") ?? result.id,
    args: spanValueText(span, "gen_ai.tool.call.arguments", "gen_ai.tool.args", "gen_ai.tool.input"),
    result: result.text,
    failed: failure.failed === true || result.failed ? true : undefined,
    failure: failure.failure,
  });
}

function readRun(span: OtelSpan): SpanReading {
  return present<SpanReading>({
    role: "run",
    name:
      spanText(span, "gen_ai.agent.name", "gen_ai.workflow.name") ??
      nameBehind(span, "invoke_agent") ??
      span.name,
    model: spanText(span, "gen_ai.response.model", "gen_ai.request.model"),
    session: spanText(span, "gen_ai.conversation.id", "session.id"),
    question: () =>
      runQuestion(spanValue(span, "gen_ai.input.messages", "gen_ai.prompt", "gen_ai.agent.input")),
    outcome: () => modelMessages(span, []).output,
    ...spanFailure(span),
  });
}

/**
 * OpenTelemetry's GenAI conventions in their three generations: flattened `gen_ai.prompt.N` and
 * `gen_ai.completion.N`; an event or log record a message; `gen_ai.input.messages` and
 * `gen_ai.output.messages` as JSON text or structured. Vendors' spellings beside them (any-agent,
 * `@ai-sdk/otel`).
 */
export const genAi: Convention = {
  name: "gen-ai",
  owns: (span) => spanText(span, "gen_ai.operation.name") !== undefined || roleOf(span) === "model",
  read: (span, logs) => {
    const role = roleOf(span);
    switch (role) {
      case "run":
        return readRun(span);
      case "tool":
        return readTool(span, logs);
      case "retrieval": {
        const documents = spanValue(span, "gen_ai.retrieval.documents", "gen_ai.output");
        return present<SpanReading>({
          role,
          name: spanText(span, "gen_ai.data_source.id", "gen_ai.agent.name") ?? span.name,
          args: textOf(spanValue(span, "gen_ai.retrieval.query.text", "gen_ai.retrieval.query")),
          outcome: () => documentPieces(documents),
          ...spanFailure(span),
        });
      }
      case "model":
        return present<SpanReading>({
          role,
          name: span.name,
          model: spanText(span, "gen_ai.response.model", "gen_ai.request.model"),
          session: spanText(span, "gen_ai.conversation.id"),
          ...modelMessages(span, logs),
          ...callUsage(
            spanCount(span, "gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"),
            spanCount(span, "gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"),
          ),
          ...spanFailure(span),
        });
      default:
        return { role, name: span.name };
    }
  },
};
