import { describe, expect, it } from "vitest";
import { AsvError } from "../../errors/index.ts";
import type { JsonObject } from "../json.ts";
import { decodeTrajectory, encodeTrajectory } from "./trajectory-codec.ts";

const place = { source: "runs.jsonl", line: 7 };

function sample(): JsonObject {
  return {
    schema_version: "asv.v1",
    trajectory_id: "t-1",
    task: {
      question: "Does alpha help?",
      candidate_space: {
        candidates: [{ id: "c1", text: "yes" }, { id: "c2", text: "no" }, { id: "c3" }],
        gold_candidate_id: "c2",
      },
    },
    steps: [
      {
        step_id: "s-1",
        state_before: { notes: "a" },
        state_after: { notes: "b" },
        belief_before: { c1: 0.5, c2: 0.25, c3: 0.25 },
        belief_after: { c1: 0, c2: 1, c3: 0 },
        raw_scores_before: { c1: -1, c2: -2, c3: -2 },
      },
      { step_id: "s-2" },
    ],
  };
}

/** The sample with one value replaced, or removed where `value` is undefined. */
function changed(path: (string | number)[], value: unknown): JsonObject {
  const json = sample();
  let at = json as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) at = at[key] as typeof at;
  const last = path.at(-1)!;
  if (value === undefined) delete at[last];
  else at[last] = value;
  return json;
}

function refusal(json: unknown): AsvError {
  try {
    decodeTrajectory(json, place);
  } catch (error) {
    if (AsvError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

describe("decodeTrajectory", () => {
  it("gives every absent field its default and leaves unknown ones absent", () => {
    const trajectory = decodeTrajectory(sample(), place);
    expect(trajectory).toStrictEqual({
      schemaVersion: "asv.v1",
      trajectoryId: "t-1",
      sourceAdapter: "standard_jsonl",
      metadata: {},
      task: {
        taskId: "t-1",
        question: "Does alpha help?",
        taskType: "closed_set_qa",
        goldVisibleToEvaluator: false,
        goldUsedOnlyForValidation: true,
        candidateSpace: {
          type: "closed_set",
          candidates: [
            { id: "c1", text: "yes" },
            { id: "c2", text: "no" },
            { id: "c3", text: "c3" },
          ],
          goldCandidateId: "c2",
        },
      },
      steps: [
        {
          stepId: "s-1",
          index: 0,
          action: {},
          observation: {},
          stateBefore: { notes: "a" },
          stateAfter: { notes: "b" },
          beliefBefore: { c1: 0.5, c2: 0.25, c3: 0.25 },
          beliefAfter: { c1: 0, c2: 1, c3: 0 },
          rawScoresBefore: { c1: -1, c2: -2, c3: -2 },
          cost: {},
          qualityFlags: {},
        },
        { stepId: "s-2", index: 1, action: {}, observation: {}, cost: {}, qualityFlags: {} },
      ],
    });
  });

  it("takes a missing schema version as asv.v1 and whole-number ids as their digits", () => {
    const json = changed(["schema_version"], undefined);
    json["trajectory_id"] = 41;
    const trajectory = decodeTrajectory(json, place);
    expect([trajectory.schemaVersion, trajectory.trajectoryId, trajectory.task.taskId]).toEqual([
      "asv.v1",
      "41",
      "41",
    ]);
  });

  it("takes null as absent", () => {
    const json = changed(["steps", 0, "state_before"], null);
    json["final_score"] = null;
    const trajectory = decodeTrajectory(json, place);
    expect("finalScore" in trajectory).toBe(false);
    expect("stateBefore" in trajectory.steps[0]!).toBe(false);
  });

  it("hands states on without copying them", () => {
    const json = sample();
    const trajectory = decodeTrajectory(json, place);
    const step = (json["steps"] as JsonObject[])[0]!;
    expect(trajectory.steps[0]!.stateBefore).toBe(step["state_before"]);
  });

  it("reads a frozen set with its review", () => {
    const json = sample();
    const space = (json["task"] as JsonObject)["candidate_space"] as JsonObject;
    space["frozen_sha256"] = "0".repeat(64);
    space["review"] = { reviewer: "kb", reviewed_at: "2026-01-02", notes: "ok", desk: 4 };
    space["label_source"] = "a-data-set";
    const read = decodeTrajectory(json, place).task.candidateSpace;
    expect(read.review).toEqual({
      reviewer: "kb",
      reviewedAt: "2026-01-02",
      notes: "ok",
      extra: { desk: 4 },
    });
    expect([read.frozenSha256, read.labelSource]).toEqual(["0".repeat(64), "a-data-set"]);
  });

  it.each<[string, (string | number)[], unknown, string, RegExp]>([
    ["no id", ["trajectory_id"], undefined, "trajectory_id", /is missing; it must be a non-empty string/],
    ["an empty id", ["trajectory_id"], "", "trajectory_id", /got "" \(string of 0\)/],
    ["no task", ["task"], undefined, "task", /is missing; it must be an object/],
    ["a list as task", ["task"], [], "task", /must be an object, got array of 0/],
    ["no question", ["task", "question"], undefined, "task.question", /is missing/],
    ["steps not a list", ["steps"], {}, "steps", /must be an array, got object with 0 keys/],
    ["a step that is text", ["steps", 1], "s", "steps[1]", /must be an object, got "s"/],
    ["no step id", ["steps", 1, "step_id"], undefined, "steps[1].step_id", /is missing/],
    ["a repeated step id", ["steps", 1, "step_id"], "s-1", "steps[1].step_id", /repeats the step id "s-1"/],
    ["a text state", ["steps", 0, "state_after"], "x", "steps[0].state_after", /must be an object, got "x"/],
    ["a broken index", ["steps", 0, "index"], 1.5, "steps[0].index", /must be a whole number, got 1.5/],
    ["a text score", ["final_score"], "1", "final_score", /must be a finite number, got "1"/],
    ["a belief sum", ["steps", 0, "belief_after", "c3"], 0.1, "steps[0].belief_after", /sums to 1.1/],
    [
      "a negative belief",
      ["steps", 0, "belief_after"],
      { c1: -0.5, c2: 1.5 },
      "steps[0].belief_after",
      /no negative probability, got -0.5 for "c1"/,
    ],
    [
      "a text belief",
      ["steps", 0, "belief_before", "c1"],
      "half",
      "steps[0].belief_before.c1",
      /must be a finite number, got "half"/,
    ],
    [
      "an infinite score",
      ["steps", 0, "raw_scores_before", "c1"],
      JSON.parse("-1e999"),
      "steps[0].raw_scores_before.c1",
      /must be finite, got -Infinity/,
    ],
    [
      "a score past any evaluator's",
      ["steps", 0, "raw_scores_after"],
      { c1: 0, c2: -1e308 },
      "steps[0].raw_scores_after.c2",
      /must be a log score within ±1000000 nats, got -1e\+308 \(number\)/,
    ],
    [
      "an infinite number in a state",
      ["steps", 0, "state_before", "deep"],
      [{ x: Infinity }],
      "steps[0].state_before.deep[0].x",
      /must be finite/,
    ],
    [
      "a belief over strangers",
      ["steps", 0, "belief_after"],
      { c9: 1 },
      "steps[0].belief_after",
      /names "c9" \(string of 2\), which is not a candidate/,
    ],
    [
      "a duplicate candidate",
      ["task", "candidate_space", "candidates", 2, "id"],
      "c1",
      "task.candidate_space.candidates[2].id",
      /repeats the candidate id "c1"/,
    ],
    [
      "a strange target",
      ["task", "candidate_space", "gold_candidate_id"],
      "c7",
      "task.candidate_space.gold_candidate_id",
      /must be the id of a candidate, got "c7"/,
    ],
  ])("refuses %s, with file, line, path and value", (_, path, value, field, message) => {
    const error = refusal(changed(path, value));
    expect(error.code).toBe("invalid_record");
    expect(error.fields).toMatchObject({ source: "runs.jsonl", line: 7, path: field });
    expect(error.message).toMatch(/^runs\.jsonl:7: field /);
    expect(error.message).toMatch(message);
  });

  it("accepts log scores up to ±1e6 nats and refuses the next number", () => {
    const at = (value: number): JsonObject => changed(["steps", 0, "raw_scores_before"], { c1: value });
    for (const edge of [1e6, -1e6]) {
      expect(decodeTrajectory(at(edge), place).steps[0]!.rawScoresBefore).toEqual({ c1: edge });
      expect(refusal(at(edge * (1 + 2 ** -52))).fields["path"]).toBe("steps[0].raw_scores_before.c1");
    }
  });

  it("accepts a belief sum off by 1e-6 and refuses 3e-6", () => {
    const off = (by: number): JsonObject => changed(["steps", 0, "belief_after"], { c1: 0.5, c2: 0.5 + by });
    expect(decodeTrajectory(off(9e-7), place).steps[0]!.beliefAfter!["c2"]).toBe(0.5 + 9e-7);
    expect(refusal(off(3e-6)).fields["path"]).toBe("steps[0].belief_after");
  });

  it.each(["asv.v2", "asv.v999", 1, ""])("refuses schema version %j by name", (version) => {
    const error = refusal(changed(["schema_version"], version));
    expect(error.code).toBe("unknown_schema_version");
    expect(error.message).toContain(`is ${JSON.stringify(version)}`);
    expect(error.message).toContain('expected "asv.v1"');
  });

  it.each([null, 3, "x", [1]])("refuses %j as a record", (json) => {
    expect(refusal(json).message).toMatch(/a record must be a JSON object/);
  });

  it("refuses nesting that would overflow the stack later", () => {
    const state = JSON.parse(`${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`) as unknown;
    const error = refusal(changed(["steps", 0, "state_before"], state));
    expect(error.message).toMatch(/is nested deeper than 1000 levels/);
    expect(error.message.length).toBeLessThan(300);
  });

  it("never shows a state, only its size", () => {
    const error = refusal(changed(["steps", 0, "belief_after"], { c1: { secret: "sk-123" } }));
    expect(error.message).toContain("object with 1 keys");
    expect(error.message).not.toContain("sk-123");
  });

  it("shows the start only of an id that may be a secret, as a value and in a path", () => {
    const token = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
    for (const bad of [{ [token]: 1 }, { [token]: "x" }]) {
      const error = refusal(changed(["steps", 0, "belief_after"], bad));
      expect(error.message).toContain('"ghp_01234567…"');
      expect(JSON.stringify([error.message, error.fields])).not.toContain("ghp_012345678");
    }
  });

  it("keeps hostile keys as data", () => {
    const json = JSON.parse(
      '{"trajectory_id":"t","__proto__":{"polluted":1},"task":{"question":"q","constructor":2,"candidate_space":' +
        '{"candidates":[{"id":"__proto__"},{"id":"toString"}]}},"steps":[{"step_id":"s",' +
        '"state_before":{"__proto__":{"x":1}},"raw_scores_before":{"__proto__":-1,"toString":-2}}]}',
    ) as JsonObject;
    const trajectory = decodeTrajectory(json, place);
    expect(Object.hasOwn(trajectory.extra!, "__proto__")).toBe(true);
    expect(Object.getPrototypeOf(trajectory)).toBe(Object.prototype);
    expect(Object.getPrototypeOf(trajectory.extra)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    const back = JSON.stringify(encodeTrajectory(trajectory));
    expect(back).toContain('"__proto__":{"polluted":1}');
    expect(back).toContain('"state_before":{"__proto__":{"x":1}}');
    expect(back).toContain('"raw_scores_before":{"__proto__":-1,"toString":-2}');
  });
});
