import type { JsonValue, StepMetrics, Trajectory } from "@agent-step-value/sdk";
import { stepPlace, type SpanPlace } from "../asv-spans/index.ts";

/**
 * Where the spans of a trajectory's steps are: the recorded span of a step that was imported from OTLP, which
 * keeps its ids, else the place that `trajectoryTelemetry` gives it. For `emitEvaluations`' `placeOf`.
 */
export function recordedPlaces({ trajectoryId, steps }: Trajectory): (step: StepMetrics) => SpanPlace {
  const recorded = new Map<string, SpanPlace>();
  for (const { stepId, extra } of steps) {
    const [traceId, spanId] = [hexId(extra?.["trace_id"], 32), hexId(extra?.["span_id"], 16)];
    if (traceId !== undefined && spanId !== undefined) recorded.set(stepId, { traceId, spanId });
  }
  return ({ stepId }) => recorded.get(stepId) ?? stepPlace(trajectoryId, stepId);
}

/** An id as OpenTelemetry has it; a source may hold anything else under the name. */
function hexId(value: JsonValue | undefined, digits: number): string | undefined {
  if (typeof value !== "string" || value.length !== digits) return undefined;
  return /^[0-9a-f]+$/.test(value) && !/^0+$/.test(value) ? value : undefined;
}
