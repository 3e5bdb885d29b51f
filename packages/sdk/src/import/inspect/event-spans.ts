import { isJsonObject, type JsonObject } from "../../schema/index.ts";

/** Spans in spans are followed up this far. */
const MOST_DEPTH = 100;
const STEPS: readonly unknown[] = ["model", "tool"];

/** What the spans of a sample say of its events. */
export interface EventSpans {
  /** True for what a scorer did: it was told the target. */
  isOfScorer(event: JsonObject): boolean;
  /**
   * The span at whose end a tool's result came, where the agent took further steps inside the tool (an agent as
   * a tool); undefined for a plain tool.
   */
  endOfTool(event: JsonObject): string | undefined;
}

interface Span {
  parent: string | undefined;
  type: string;
  steps: number;
}

export function eventSpans(events: readonly unknown[]): EventSpans {
  const spans = new Map<string, Span>();
  for (const event of events) {
    if (!isJsonObject(event) || event["event"] !== "span_begin" || typeof event["id"] !== "string") continue;
    const { id, parent_id: parent, type } = event;
    spans.set(id, {
      parent: typeof parent === "string" && parent !== id ? parent : undefined,
      type: typeof type === "string" ? type : "",
      steps: 0,
    });
  }
  const around = function* (event: JsonObject): Generator<[string, Span]> {
    let id = event["span_id"];
    for (let depth = 0; typeof id === "string" && depth < MOST_DEPTH; depth += 1) {
      const span = spans.get(id);
      if (span === undefined) return;
      yield [id, span];
      id = span.parent;
    }
  };
  for (const event of events) {
    if (!isJsonObject(event) || !STEPS.includes(event["event"])) continue;
    for (const [, span] of around(event)) span.steps += 1;
  }
  return {
    isOfScorer(event) {
      for (const [, { type }] of around(event)) if (type === "scorer" || type === "scorers") return true;
      return event["event"] === "model" && event["role"] === "grader";
    },
    endOfTool(event) {
      for (const [id, { type, steps }] of around(event)) return type === "tool" && steps > 1 ? id : undefined;
      return undefined;
    },
  };
}
