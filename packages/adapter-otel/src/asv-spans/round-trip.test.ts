import fc from "fast-check";
import {
  decodeTrajectory,
  encodeTrajectory,
  type JsonObject,
  type JsonValue,
  type Trajectory,
} from "@agent-step-value/sdk";
import { describe, expect, it } from "vitest";
import { importOtlp } from "../import/index.ts";
import { LeftOut } from "./left-out.ts";
import { otlpLines } from "./otlp-lines.test-support.ts";
import { trajectoryTelemetry, type TrajectoryTelemetryOptions } from "./trajectory-telemetry.ts";

async function there(trajectory: Trajectory, options?: TrajectoryTelemetryOptions) {
  const run = importOtlp(otlpLines(trajectoryTelemetry(trajectory, options)));
  const back: Trajectory[] = [];
  for await (const one of run) back.push(one);
  return { back, report: run.report };
}

/** What comes back of a trajectory that holds nothing that must not travel. */
function expected(trajectory: Trajectory): JsonObject {
  const { frozenSha256 } = trajectory.task.candidateSpace;
  const json = encodeTrajectory({
    ...trajectory,
    task: { ...trajectory.task, candidateSpace: { type: "candidate_set", candidates: [] } },
    ...(frozenSha256 !== undefined && { extra: { ...trajectory.extra, candidates_sha256: frozenSha256 } }),
  });
  return JSON.parse(JSON.stringify(json)) as JsonObject;
}

/** Text of letters that no secret is made of, and those that encodings stumble over. */
const text = fc.string({
  unit: fc.constantFrom("a", "é", "灯", "\u{1F5FC}", "\u2028", "\u0000", '"', "\\", "\n", " "),
});
const key = fc.oneof(
  fc.stringMatching(/^[qxz]{1,3}$/),
  fc.constantFrom("__proto__", "constructor", "7", "", "é", "with space"),
);
const value = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    text,
    fc.constantFrom<JsonValue>(0, -1.5, 1e21, 1e-7, 9007199254740991, true, false, null, ""),
    fc.array(tie("json"), { maxLength: 3 }),
    fc.dictionary(key, tie("json"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).json;
const object = fc.dictionary(key, value, { maxKeys: 4, noNullPrototype: true }) as fc.Arbitrary<JsonObject>;
const id = fc.oneof(
  fc.stringMatching(/^[a-z0-9-]{1,8}$/),
  fc.constantFrom("__proto__", "灯", "a b", "\u2028"),
);
const maybe = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(of, { nil: undefined });

const step = fc.record(
  {
    step_id: id,
    index: fc.nat(5),
    action: fc.oneof(object, fc.record({ type: fc.constantFrom("model", "tool:search", "") })),
    observation: object,
    cost: fc.record(
      { latency_ms: fc.constantFrom(0, 1.25, 1e300, -3), prompt_tokens: fc.nat() },
      { requiredKeys: [] },
    ),
    quality_flags: object,
    discontinuity: fc.boolean(),
    state_before: object,
    state_after: object,
    kind: fc.constantFrom("llm", "tool", ""),
    status: fc.constantFrom<JsonValue>("ok", "error", 7),
    commit_index: fc.constantFrom<JsonValue>(0, 3, "no number"),
    error: fc.constantFrom<JsonValue>("text", { name: "E", message: "m" }),
  },
  { requiredKeys: ["step_id"] },
);

const trajectory = fc
  .record({
    trajectory_id: id,
    source_adapter: maybe(id),
    created_at: maybe(fc.constantFrom("2026-01-02T03:04:05Z", "yesterday")),
    run_id: maybe(id),
    status: maybe(fc.constantFrom("complete", "partial", "error")),
    metadata: maybe(object),
    redaction: maybe(fc.constant({ policy: "default", version: "phi-1", hits: { "api-key": 2 }, more: [1] })),
    parent_trajectory_id: maybe(id),
    unknown: maybe(value),
    task: fc.record(
      {
        question: fc.oneof(text, fc.constant("long ".repeat(900))),
        candidate_space: fc.constant({ candidates: [] }),
        task_id: id,
        domain: text,
        task_type: id,
        unknown: value,
      },
      { requiredKeys: ["question", "candidate_space"] },
    ),
    steps: fc.uniqueArray(step, { maxLength: 4, selector: ({ step_id }) => step_id }),
  })
  .map((json) => decodeTrajectory(JSON.parse(JSON.stringify(json)), { source: "made up", line: 1 }));

describe("a stored trajectory as OTLP and back", () => {
  it("is the same, whatever its free fields hold, with its states on spans or in log records", async () => {
    await fc.assert(
      fc.asyncProperty(trajectory, fc.constantFrom(0, 20, 16_384), async (original, inlineLimit) => {
        const leftOut = new LeftOut();
        const { back, report } = await there(original, { inlineLimit, leftOut });
        expect(Object.fromEntries(leftOut.counts)).toEqual({});
        expect(back.map((one) => JSON.parse(JSON.stringify(encodeTrajectory(one))))).toEqual([
          expected(original),
        ]);
        expect(report.outcome).toBe("complete");
      }),
      { numRuns: 150 },
    );
  });

  it("comes back once where it was sent twice", async () => {
    const original = decodeTrajectory(
      {
        trajectory_id: "run-1",
        task: { question: "q", candidate_space: { candidates: [] } },
        steps: [{ step_id: "s", state_before: { a: 1 }, state_after: { a: 2 } }],
      },
      { source: "made up", line: 1 },
    );
    const lines = otlpLines(trajectoryTelemetry(original, { inlineLimit: 0 }));
    const run = importOtlp([lines, lines]);
    const back: Trajectory[] = [];
    for await (const one of run) back.push(one);
    expect(back.map(encodeTrajectory)).toEqual([expected(original)]);
    expect(run.report.duplicates).toEqual({ folded: 2, conflicts: 0 });
  });
});
