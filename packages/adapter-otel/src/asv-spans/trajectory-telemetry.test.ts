import { canonicalJson, stateSha256, type JsonObject } from "@agent-step-value/sdk";
import { describe, expect, it } from "vitest";
import { fullRun, sent } from "./full-run.test-support.ts";

describe("a trajectory as spans", () => {
  it("has a span for the run and one for each step, in its trace and below it", () => {
    const { run, steps } = sent(fullRun());
    expect(steps.map(({ parent }) => parent)).toEqual([run.place, run.place]);
    expect(new Set([run, ...steps].map(({ place }) => place.spanId)).size).toBe(3);
    for (const { place } of [run, ...steps]) {
      expect(place.traceId).toBe(run.place.traceId);
      expect(place.traceId).toMatch(/^[0-9a-f]{32}$/);
      expect(place.spanId).toMatch(/^[0-9a-f]{16}$/);
    }
  });

  it("says of the run what a line says", () => {
    const { attributes, links, error } = sent(fullRun()).run;
    const { "asv.trajectory.detail": detail, ...rest } = attributes;
    expect(rest).toEqual({
      "asv.schema.version": 1,
      "asv.trajectory.id": "run-1",
      "asv.trajectory.source_adapter": "langchain",
      "asv.trajectory.parent_id": "run-0",
      "asv.trajectory.run_id": "r-9",
      "asv.trajectory.created_at": "2026-03-01T10:00:00.000Z",
      "asv.trajectory.status": "complete",
      "asv.trajectory.step_count": 2,
      "asv.task.id": "t-1",
      "asv.task.type": "open_qa",
      "asv.task.question": "Which light does Skarn show?",
      "asv.candidates.digest": "a".repeat(64),
      "asv.redaction.policy": "default/phi-1",
      "asv.redaction.count": 3,
    });
    expect(JSON.parse(detail as string)).toEqual({
      metadata: { agent: "archive", trace_id: "kept" },
      task: { domain: "lights", extra: { note: "of the task" } },
      redaction: { policy: "default", version: "phi-1", hits: { "api-key": 2, bytes: 1 } },
      extra: { parent_trajectory_id: "run-0" },
    });
    expect(links).toHaveLength(1);
    expect(error).toBeUndefined();
  });

  it("says of a step what a line says, its states as canonical JSON with digest and length", () => {
    const trajectory = fullRun();
    const [first, second] = sent(trajectory).steps;
    const { "asv.step.detail": detail, ...rest } = first!.attributes;
    expect(rest).toEqual({
      "asv.trajectory.id": "run-1",
      "asv.step.id": "s-1",
      "asv.step.index": 0,
      "asv.step.action": "tool:search_notes",
      "asv.step.kind": "tool",
      "asv.step.status": "error",
      "asv.step.commit_index": 0,
      "asv.state.before": '{"notes":"none yet"}',
      "asv.state.before.sha256": stateSha256(trajectory.steps[0]!.stateBefore!),
      "asv.state.before.length": 20,
      "asv.state.after": '{"notes":"green"}',
      "asv.state.after.sha256": stateSha256(trajectory.steps[0]!.stateAfter!),
      "asv.state.after.length": 17,
      "asv.state.carrier": "inline",
    });
    expect(JSON.parse(detail as string)).toEqual({
      action: { type: "tool:search_notes", query: "Skarn" },
      observation: { text: "lamp-colours" },
      cost: { latency_ms: 1500, prompt_tokens: 7 },
      quality_flags: { used_floor_score: true },
      extra: {
        kind: "tool",
        status: "error",
        error: { name: "Error", message: "no such note" },
        commit_index: 0,
      },
    });
    expect(first!.error).toEqual({ message: "Error: no such note" });
    expect(JSON.parse(second!.attributes["asv.step.detail"] as string)).toEqual({
      action: { type: "model" },
      discontinuity: true,
    });
  });

  it("lets steps follow one another from created_at, each as long as its latency", () => {
    const { run, steps } = sent(fullRun());
    const begin = Date.UTC(2026, 2, 1, 10) / 1000;
    expect(steps.map(({ start, end }) => [start, end])).toEqual([
      [
        [begin, 0],
        [begin + 1, 500_000_000],
      ],
      [
        [begin + 1, 500_000_000],
        [begin + 1, expect.closeTo(500_001_000, -3)],
      ],
    ]);
    expect(run.start).toEqual([begin, 0]);
    expect(run.end).toEqual(steps[1]!.end);
  });

  it("starts a run without created_at where it is told, and at 0 by default", () => {
    const { createdAt: _, ...rest } = fullRun();
    expect(sent(rest).run.start).toEqual([0, 0]);
    expect(sent(rest, { startTime: 5000 }).run.start).toEqual([5, 0]);
    expect(() => sent(rest, { startTime: Infinity })).toThrow(/startTime/);
  });

  it.each(["-000001-01-01T00:00:00Z", "+200000-01-01T00:00:00Z", "yesterday"])(
    "takes a created_at of %s, which no span can have, as not known",
    (createdAt) => {
      const trajectory = { ...fullRun(), createdAt };
      trajectory.steps[0]!.cost = { latency_ms: 1e300 };
      const { run } = sent(trajectory, { startTime: 8_999_999_999_999 });
      expect(run.start).toEqual([8_999_999_999, 999_000_000]);
      expect(run.end).toEqual([9_000_000_000, 0]);
      expect(run.attributes["asv.trajectory.created_at"]).toBe(createdAt);
    },
  );

  it("is the same the second time", () => {
    expect(sent(fullRun())).toEqual(sent(fullRun()));
  });

  it.each<[string, number[]]>([
    ["fall", [2, 1]],
    ["repeat", [0, 0]],
  ])("keeps the order of steps whose indexes %s, and the indexes beside it", (_, indexes) => {
    const trajectory = fullRun();
    trajectory.steps.forEach((step, i) => (step.index = indexes[i]!));
    const { steps } = sent(trajectory);
    expect(steps.map(({ attributes }) => attributes["asv.step.index"])).toEqual([0, 1]);
    const details = steps.map(({ attributes }) => JSON.parse(attributes["asv.step.detail"] as string));
    expect(details.map(({ index }) => index)).toEqual(indexes);
  });

  it("keeps an absent status absent", () => {
    const { status: _, ...rest } = fullRun();
    expect(sent(rest).run.attributes).not.toHaveProperty("asv.trajectory.status");
  });

  it("keeps a long question whole in the detail, and cuts the attribute between characters", () => {
    const trajectory = fullRun();
    trajectory.task.question = `${"q".repeat(4095)}\u{1F600} and more`;
    const { attributes } = sent(trajectory).run;
    expect(attributes["asv.task.question"]).toBe("q".repeat(4095));
    const detail = JSON.parse(attributes["asv.trajectory.detail"] as string) as { task: JsonObject };
    expect(detail.task["question"]).toBe(trajectory.task.question);
  });
});

describe("states too long for a span", () => {
  it("go as log records, one a distinct state, joined by digest", () => {
    const trajectory = fullRun();
    const { steps, logs } = sent(trajectory, { inlineLimit: 0 });
    const states = [
      trajectory.steps[0]!.stateBefore!,
      trajectory.steps[0]!.stateAfter!,
      trajectory.steps[1]!.stateAfter!,
    ];
    expect(logs.map(({ body }) => body)).toEqual(states.map(canonicalJson));
    expect(logs.map(({ attributes }) => attributes)).toEqual(
      states.map((state) => ({
        "asv.trajectory.id": "run-1",
        "asv.state.sha256": stateSha256(state),
        "asv.state.length": canonicalJson(state).length,
      })),
    );
    expect(logs.every(({ eventName }) => eventName === "asv.state")).toBe(true);
    expect(logs.map(({ place }) => place)).toEqual([steps[0]!.place, steps[0]!.place, steps[1]!.place]);
    for (const { attributes } of steps) {
      expect(attributes["asv.state.carrier"]).toBe("log");
      expect(attributes).not.toHaveProperty("asv.state.before");
      expect(attributes).not.toHaveProperty("asv.state.after");
    }
  });

  it("are both logged where one of them does not fit", () => {
    const { steps, logs } = sent(fullRun(), { inlineLimit: 30 });
    expect(steps.map(({ attributes }) => attributes["asv.state.carrier"])).toEqual(["inline", "log"]);
    expect(logs).toHaveLength(2);
  });

  it("stay behind where only digests are asked for", () => {
    const { steps, logs } = sent(fullRun(), { states: "digest" });
    expect(logs).toEqual([]);
    expect(steps.map(({ attributes }) => attributes["asv.state.carrier"])).toEqual(["none", "none"]);
    expect(JSON.stringify(steps)).not.toContain("none yet");
  });
});
