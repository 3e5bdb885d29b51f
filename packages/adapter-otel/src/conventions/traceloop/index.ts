import type { OtelSpan } from "../../spans/otel-span.ts";
import { genAi } from "../gen-ai/index.ts";
import { field, isMap, opened, textOf } from "../messages/foreign-json.ts";
import { outcomePieces } from "../messages/outcome-pieces.ts";
import { toolResult } from "../messages/result-text.ts";
import { runQuestion } from "../messages/run-question.ts";
import { graphNode } from "../graph-node.ts";
import type { Convention, SpanReading, SpanRole } from "../span-reading.ts";
import { toolName } from "../tool-name.ts";
import { present, spanCallId, spanFailure, toolFailure, spanText, spanValue } from "../span-values.ts";

const KIND = "traceloop.span.kind";
const ROLES: ReadonlyMap<string, SpanRole> = new Map([
  ["workflow", "run"],
  ["agent", "run"],
  ["session", "run"],
  ["task", "node"],
  ["tool", "tool"],
]);
/** A class of LangChain in place of the tool's name. */
const CLASS_NAME = /^(?:Dynamic)?(?:Structured)?Tool$/;

/** What was handed to or came out of the unit of work, without the tracer's wrapping round it. */
function entity(span: OtelSpan, key: string): unknown {
  const value = spanValue(span, key);
  const open = opened(value);
  if (!isMap(open)) return value;
  const inner = field(open, "inputs", "outputs", "input_str");
  if (inner !== undefined) return inner;
  const args = field(open, "args");
  if (!Array.isArray(args) || Object.keys(open).some((name) => name !== "args" && name !== "kwargs"))
    return open;
  const kwargs = field(open, "kwargs");
  const named = isMap(kwargs) && Object.keys(kwargs).length > 0;
  if (args.length === 0) return named ? kwargs : open;
  return args.length === 1 && !named ? (args[0] as unknown) : open;
}

function readTool(span: OtelSpan): SpanReading {
  const result = toolResult(
    entity(span, "traceloop.entity.output") ?? spanValue(span, "gen_ai.tool.call.result"),
  );
  const own = spanText(span, "gen_ai.tool.name", "traceloop.entity.name");
  return present<SpanReading>({
    role: "tool",
    name: (own === undefined || CLASS_NAME.test(own) ? result.name : undefined) ?? own ?? toolName(span.name),
    callId: spanCallId(span, ["gen_ai.tool.call.id"], result),
    args: textOf(entity(span, "traceloop.entity.input") ?? spanValue(span, "gen_ai.tool.call.arguments")),
    result: result.text,
    ...toolFailure(span, result),
  });
}

/**
 * Traceloop (OpenLLMetry): workflows, agents, tasks and tools under `traceloop.span.kind`, with their
 * data in `traceloop.entity.input` and `.output`, or in GenAI attributes. Its model calls are GenAI spans.
 */
export const traceloop: Convention = {
  name: "traceloop",
  owns: (span) => ROLES.has(spanText(span, KIND) ?? ""),
  read: (span, logs) => {
    const kind = ROLES.get(spanText(span, KIND) ?? "") ?? "plumbing";
    const operation = spanText(span, "gen_ai.operation.name");
    // Newer instrumentations give tools and models the kind `task` and tell them by their operation.
    const role = operation === "execute_tool" ? "tool" : kind;
    if (role === "tool") return readTool(span);
    const asGenAi = genAi.owns(span) ? genAi.read(span, logs) : undefined;
    if (asGenAi?.role === "model" || asGenAi?.role === "retrieval") return asGenAi;
    return present<SpanReading>({
      role,
      name:
        spanText(span, "traceloop.entity.name", "gen_ai.agent.name", "traceloop.workflow.name") ?? span.name,
      node: graphNode(spanValue(span, "traceloop.entity.input")),
      session: spanText(span, "gen_ai.conversation.id", "traceloop.association.properties.session_id"),
      question: () => runQuestion(entity(span, "traceloop.entity.input")),
      outcome: () => outcomePieces(entity(span, "traceloop.entity.output")),
      asTool: () => readTool(span),
      ...spanFailure(span),
    });
  },
};
