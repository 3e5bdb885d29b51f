import type { OtelSpan } from "../../spans/otel-span.ts";
import { documentPieces } from "../messages/document-pieces.ts";
import { groupAttributes, numbered, textAt } from "../messages/indexed-attributes.ts";
import { outcomePieces } from "../messages/outcome-pieces.ts";
import type { Piece } from "../messages/piece.ts";
import { toolResult } from "../messages/result-text.ts";
import { runQuestion } from "../messages/run-question.ts";
import { graphNode } from "../graph-node.ts";
import type { Convention, SpanReading, SpanRole } from "../span-reading.ts";
import { toolName } from "../tool-name.ts";
import {
  callUsage,
  present,
  spanCallId,
  spanCount,
  spanFailure,
  toolFailure,
  spanMap,
  spanText,
  spanValue,
  spanValueText,
} from "../span-values.ts";
import { modelMessages } from "./model-messages.ts";

const ROLES: ReadonlyMap<string, SpanRole> = new Map([
  ["AGENT", "run"],
  ["LLM", "model"],
  ["TOOL", "tool"],
  ["RETRIEVER", "retrieval"],
  ["RERANKER", "retrieval"],
  ["CHAIN", "node"],
  ["GUARDRAIL", "node"],
  ["UNKNOWN", "node"],
  ["EVALUATOR", "evaluation"],
]);

const KIND = "openinference.span.kind";

/** The documents a retriever or reranker gave, from its flattened attributes or its output. */
function documents(span: OtelSpan): readonly Piece[] | undefined {
  const flat = ["retrieval.documents", "reranker.output_documents"]
    .map((prefix) => numbered(groupAttributes(span.attributes, prefix)))
    .find((list) => list.length > 0);
  if (flat === undefined) return documentPieces(spanValue(span, "output.value"));
  const texts = flat
    .map((entry) => textAt(entry, "document", "content"))
    .filter((text) => text !== undefined);
  return documentPieces(texts);
}

function readTool(span: OtelSpan): SpanReading {
  const result = toolResult(spanValue(span, "output.value"));
  return present<SpanReading>({
    role: "tool",
    name: spanText(span, "tool.name") ?? toolName(span.name),
    callId: spanCallId(span, ["tool_call.id", "tool.id"], result),
    args: spanValueText(span, "input.value", "tool.parameters"),
    result: result.text,
    ...toolFailure(span, result),
  });
}

/**
 * OpenInference: flat attributes under `openinference.span.kind`. Kinds AGENT, LLM, TOOL, RETRIEVER,
 * RERANKER, CHAIN and GUARDRAIL are read, EMBEDDING and PROMPT say nothing about a state, EVALUATOR is
 * refused.
 */
export const openInference: Convention = {
  name: "openinference",
  owns: (span) => spanText(span, KIND) !== undefined,
  read: (span) => {
    const kind = spanText(span, KIND)?.toUpperCase() ?? "";
    const role = ROLES.get(kind) ?? "plumbing";
    const node = graphNode(spanMap(span, "metadata"));
    switch (role) {
      case "model":
        return present<SpanReading>({
          role,
          name: span.name,
          node,
          model: spanText(span, "llm.response.model_name", "llm.model_name"),
          session: spanText(span, "session.id"),
          ...modelMessages(span),
          ...callUsage(
            spanCount(span, "llm.token_count.prompt"),
            spanCount(span, "llm.token_count.completion"),
          ),
          ...spanFailure(span),
        });
      case "tool":
        return { ...readTool(span), ...(node !== undefined && { node }) };
      case "retrieval": {
        const query = groupAttributes(span.attributes, "reranker");
        return present<SpanReading>({
          role,
          name: kind === "RERANKER" ? "rerank" : span.name,
          node,
          args: textAt(query, "query") ?? spanValueText(span, "input.value"),
          outcome: () => documents(span),
          ...spanFailure(span),
        });
      }
      case "run":
      case "node":
        return present<SpanReading>({
          role,
          name: spanText(span, "agent.name", "graph.node.id") ?? span.name,
          node,
          session: spanText(span, "session.id"),
          question: () => runQuestion(spanValue(span, "input.value")),
          outcome: () =>
            outcomePieces(spanValue(span, "output.value"), kind === "GUARDRAIL" ? "audit" : undefined),
          asTool: () => readTool(span),
          ...spanFailure(span),
        });
      default:
        return { role, name: span.name };
    }
  },
};
