import type { OtelSpan } from "../../spans/otel-span.ts";
import { callIdOf } from "../messages/call-id.ts";
import { documentPieces } from "../messages/document-pieces.ts";
import { completionPieces, promptPieces } from "../messages/conversation.ts";
import { field, isMap, opened, textOf } from "../messages/foreign-json.ts";
import { outcomePieces } from "../messages/outcome-pieces.ts";
import { toolResult, type ToolResult } from "../messages/result-text.ts";
import { runQuestion } from "../messages/run-question.ts";
import { graphNode } from "../graph-node.ts";
import type { Convention, SpanReading, SpanRole } from "../span-reading.ts";
import { toolName } from "../tool-name.ts";
import {
  callUsage,
  present,
  spanCallId,
  spanFailure,
  spanMap,
  spanText,
  spanValue,
  spanValueText,
} from "../span-values.ts";

const PREFIX = "langfuse.observation.";
const INPUT = `${PREFIX}input`;
const OUTPUT = `${PREFIX}output`;

const ROLES: ReadonlyMap<string, SpanRole> = new Map([
  ["generation", "model"],
  ["tool", "tool"],
  ["retriever", "retrieval"],
  ["agent", "run"],
  ["chain", "node"],
  ["span", "node"],
  ["event", "node"],
  ["guardrail", "node"],
  ["evaluator", "evaluation"],
]);

/** A plain span whose output is a tool's message is the tool: older versions know no type for it. */
function roleOf(span: OtelSpan, type: string): SpanRole {
  const role = ROLES.get(type) ?? "plumbing";
  if (type !== "span") return role;
  const open = opened(spanValue(span, OUTPUT));
  if (!isMap(open)) return role;
  const inner = field(open, "kwargs");
  const body = isMap(inner) ? inner : open;
  return field(body, "tool_call_id") === undefined ? role : "tool";
}

function failure(span: OtelSpan): Pick<SpanReading, "failed" | "failure"> {
  if (spanText(span, `${PREFIX}level`) !== "ERROR") return spanFailure(span);
  const message = spanText(span, `${PREFIX}status_message`);
  return { failed: true, ...(message !== undefined && { failure: message }) };
}

function node(span: OtelSpan): string | undefined {
  const own = spanText(span, `${PREFIX}metadata.langgraph_node`);
  const open = opened(own);
  return (typeof open === "string" ? open : undefined) ?? graphNode(spanValue(span, `${PREFIX}metadata`));
}

function usage(span: OtelSpan) {
  const details = spanMap(span, `${PREFIX}usage_details`);
  if (details === undefined) return {};
  return callUsage(
    field(details, "input", "prompt_tokens", "input_tokens"),
    field(details, "output", "completion_tokens", "output_tokens"),
  );
}

/** Metadata is flattened by the newer SDKs and JSON text in others. */
function metadataId(span: OtelSpan, result: ToolResult): { id?: string } {
  const metadata = spanMap(span, `${PREFIX}metadata`) ?? {};
  const id = callIdOf(field(metadata, "tool_call_id", "toolCallId"), result.id);
  return id === undefined ? {} : { id };
}

function readTool(span: OtelSpan): SpanReading {
  const result = toolResult(spanValue(span, OUTPUT));
  const failing = failure(span);
  return present<SpanReading>({
    role: "tool",
    name: result.name ?? toolName(span.name),
    node: node(span),
    callId: spanCallId(span, [], metadataId(span, result)),
    args: spanValueText(span, INPUT),
    result: result.text,
    failed: failing.failed === true || result.failed ? true : undefined,
    failure: failing.failure,
  });
}

/**
 * Langfuse observations as span attributes. Scores are no spans and expected outputs of experiments
 * (`langfuse.experiment.item.expected_output`) are never read.
 */
export const langfuse: Convention = {
  name: "langfuse",
  owns: (span) => spanText(span, `${PREFIX}type`) !== undefined,
  read: (span) => {
    const type = spanText(span, `${PREFIX}type`)?.toLowerCase() ?? "";
    const role = roleOf(span, type);
    switch (role) {
      case "tool":
        return readTool(span);
      case "model":
        return present<SpanReading>({
          role,
          name: span.name,
          node: node(span),
          model: spanText(span, `${PREFIX}model.name`),
          session: spanText(span, "langfuse.session.id", "session.id"),
          input: promptPieces(spanValue(span, INPUT)),
          output: completionPieces(spanValue(span, OUTPUT)),
          question: () => runQuestion(spanValue(span, INPUT)),
          ...usage(span),
          ...failure(span),
        });
      case "retrieval":
        return present<SpanReading>({
          role,
          name: span.name,
          node: node(span),
          args: textOf(spanValue(span, INPUT)),
          outcome: () => documentPieces(spanValue(span, OUTPUT)),
          ...failure(span),
        });
      case "run":
      case "node":
        return present<SpanReading>({
          role,
          name: span.name,
          node: node(span),
          session: spanText(span, "langfuse.session.id", "session.id"),
          question: () => runQuestion(spanValue(span, INPUT, "langfuse.trace.input")),
          outcome: () => outcomePieces(spanValue(span, OUTPUT), type === "guardrail" ? "audit" : undefined),
          asTool: () => readTool(span),
          ...failure(span),
        });
      default:
        return { role, name: span.name };
    }
  },
};
