import type { StepMetrics } from "@agent-step-value/sdk";
import { fixtureTrajectory } from "@agent-step-value/sdk/testing";
import { describe, expect, it } from "vitest";
import { stepPlace } from "../asv-spans/index.ts";
import { recordedPlaces } from "./recorded-places.ts";

const [traceId, spanId] = ["0123456789abcdef".repeat(2), "fedcba9876543210"];

describe("recordedPlaces", () => {
  it.each<[string, object | undefined, boolean]>([
    ["the ids of an imported step", { trace_id: traceId, span_id: spanId }, true],
    ["no ids", undefined, false],
    ["only one", { trace_id: traceId }, false],
    ["upper case", { trace_id: traceId.toUpperCase(), span_id: spanId }, false],
    ["zeros, which no id may be", { trace_id: traceId, span_id: "0".repeat(16) }, false],
    ["decimal ids of another tool", { trace_id: "12345", span_id: "678" }, false],
    ["no text", { trace_id: 7, span_id: [spanId] }, false],
  ])("takes from %s", (_, extra, recorded) => {
    const trajectory = fixtureTrajectory({ trajectoryId: "run-1" });
    if (extra !== undefined) trajectory.steps[0]!.extra = { ...extra };
    const place = recordedPlaces(trajectory)({ stepId: "step-1" } as StepMetrics);
    expect(place).toEqual(recorded ? { traceId, spanId } : stepPlace("run-1", "step-1"));
  });
});
