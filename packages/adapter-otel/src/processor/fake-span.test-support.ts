import { createHash } from "node:crypto";
import { canonicalJson, type JsonObject } from "@agent-step-value/sdk";
import type { AsvSpanProcessor, ProcessedSpan } from "./index.ts";

let made = 0;

export interface FakeSpanOptions {
  readonly attributes?: Record<string, unknown>;
  /** Default: the scope of the SDK's recorder. */
  readonly scope?: string;
  readonly parent?: string;
  readonly traceId?: string;
  readonly status?: ProcessedSpan["status"];
  readonly droppedAttributesCount?: number;
}

/** A span as a provider hands it over, without a provider. */
export function fakeSpan(name: string, options: FakeSpanOptions = {}): ProcessedSpan {
  const spanId = (++made).toString(16).padStart(16, "0");
  const { traceId = "0".repeat(31) + "1", scope = "@agent-step-value/sdk" } = options;
  return {
    name,
    attributes: options.attributes ?? {},
    startTime: [1_800_000_000, 0],
    endTime: [1_800_000_000, 5_000_000],
    status: options.status ?? { code: 0 },
    ...(options.parent !== undefined && { parentSpanContext: { spanId: options.parent } }),
    instrumentationScope: { name: scope },
    droppedAttributesCount: options.droppedAttributesCount ?? 0,
    spanContext: () => ({ traceId, spanId }),
  };
}

export const spanIdOf = (span: ProcessedSpan): string => span.spanContext().spanId;

/** What the recorder puts on a span of a state. */
export function stateAttributes(side: "before" | "after", state: JsonObject): Record<string, unknown> {
  const text = canonicalJson(state);
  const name = `asv.state.${side}`;
  return { [name]: text, [`${name}.length`]: text.length, [`${name}.sha256`]: sha256(text) };
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A state in the form the recorder writes. */
export function blocks(text: string): JsonObject {
  return { blocks: [{ kind: "other", text }] };
}

/** A finished step of a run, its states in the recorder's form where they are given as texts. */
export function stepSpan(
  id: string,
  index: number,
  states: { before?: string; after?: string } = {},
  options: FakeSpanOptions = {},
): ProcessedSpan {
  return fakeSpan("asv.step", {
    ...options,
    attributes: {
      "asv.trajectory.id": id,
      "asv.step.id": `${index}-ab12`,
      "asv.step.index": index,
      "asv.step.action": "act",
      ...(states.before !== undefined && stateAttributes("before", blocks(states.before))),
      ...(states.after !== undefined && stateAttributes("after", blocks(states.after))),
      ...options.attributes,
    },
  });
}

export function trajectorySpan(id: string, options: FakeSpanOptions = {}): ProcessedSpan {
  return fakeSpan("asv.trajectory", {
    ...options,
    attributes: { "asv.schema.version": 1, "asv.trajectory.id": id, ...options.attributes },
  });
}

/** A span that starts and ends at once. */
export function startAndEnd(processor: AsvSpanProcessor, span: ProcessedSpan): void {
  processor.onStart(span);
  processor.onEnding(span);
  processor.onEnd(span);
}

export function end(processor: AsvSpanProcessor, span: ProcessedSpan): void {
  processor.onEnding(span);
  processor.onEnd(span);
}
