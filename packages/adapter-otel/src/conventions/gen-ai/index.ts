import type { OtelLog, OtelSpan } from "../../spans/otel-span.ts";
import { field, isMap, opened, textOf } from "../messages/foreign-json.ts";
import { lastAsked } from "../messages/piece.ts";
import { runQuestion } from "../messages/run-question.ts";
import { toolResult } from "../messages/result-text.ts";
import type { Convention, SpanReading, SpanRole } from "../span-reading.ts";
import { toolName } from "../tool-name.ts";
import {
  callUsage,
  present,
  spanCallId,
  spanCount,
  spanFailure,
  toolFailure,
  spanText,
  spanValue,
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

/**
 * What older emitters put into events and log records of a tool's span: a `gen_ai.tool.message` with the
 * result, or, where a `gen_ai.choice` has the result, with the arguments.
 */
function toolEvents(span: OtelSpan, logs: readonly OtelLog[]): { args: unknown; result: unknown } {
  const content = (name: string): unknown => {
    const event = span.events.find((one) => one.name === name);
    const body = opened(logs.find(({ eventName }) => eventName === name)?.body);
    const fields = isMap(body) ? field(body, "message", "content") : body;
    return event?.attributes.get("message") ?? event?.attributes.get("content") ?? fields;
  };
  const message = content("gen_ai.tool.message");
  const choice = content("gen_ai.choice");
  return choice === undefined ? { args: undefined, result: message } : { args: message, result: choice };
}

/**
 * What LangSmith's exporter writes of a tool, where older generations have a model's messages: `{"input": ...}` and
 * `{"output": ...}`.
 */
function exchanged(span: OtelSpan, key: string, name: string): unknown {
  const value = spanValue(span, key);
  const open = opened(value);
  return isMap(open) && Object.keys(open).length === 1 ? (field(open, name) ?? value) : value;
}

function readTool(span: OtelSpan, logs: readonly OtelLog[]): SpanReading {
  const raw = spanValue(
    span,
    "gen_ai.tool.call.result",
    "gen_ai.output",
    "gen_ai.tool.output",
    "gen_ai.tool.result",
  );
  const told = toolEvents(span, logs);
  const result = toolResult(raw ?? told.result ?? exchanged(span, "gen_ai.completion", "output"));
  return present<SpanReading>({
    role: "tool",
    name: spanText(span, "gen_ai.tool.name") ?? toolName(span.name),
    callId: spanCallId(span, ["gen_ai.tool.call.id"], result),
    args: textOf(
      spanValue(span, "gen_ai.tool.call.arguments", "gen_ai.tool.args", "gen_ai.tool.input") ??
        told.args ??
        exchanged(span, "gen_ai.prompt", "input"),
    ),
    result: result.text,
    ...toolFailure(span, result),
  });
}

function readRun(span: OtelSpan, logs: readonly OtelLog[]): SpanReading {
  return present<SpanReading>({
    role: "run",
    name:
      spanText(span, "gen_ai.agent.name", "gen_ai.workflow.name") ??
      nameBehind(span, "invoke_agent") ??
      span.name,
    model: spanText(span, "gen_ai.response.model", "gen_ai.request.model"),
    session: spanText(span, "gen_ai.conversation.id", "session.id"),
    question: () =>
      runQuestion(spanValue(span, "gen_ai.input.messages", "gen_ai.prompt", "gen_ai.agent.input")) ??
      lastAsked(modelMessages(span, logs).input ?? []),
    outcome: () => modelMessages(span, logs).output,
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
        return readRun(span, logs);
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
