import fc from "fast-check";
import { canonicalJson, stateSha256 } from "@agent-step-value/sdk";
import { describe, expect, it } from "vitest";
import { fullRun, SECRET, sent } from "./full-run.test-support.ts";
import { LeftOut } from "./left-out.ts";

describe("what must not travel", () => {
  it("stays behind and is counted by name", () => {
    const leftOut = new LeftOut();
    const text = JSON.stringify(sent(fullRun(), { leftOut }));
    expect(Object.fromEntries(leftOut.counts)).toEqual({
      gold: 1,
      candidates: 2,
      "candidate review": 1,
      success: 1,
      "final score": 1,
      label: 1,
      beliefs: 1,
      "raw scores": 1,
    });
    for (const word of ["cand-1", "cand-2", "red light", "harmful", "gold", "success"]) {
      expect(text).not.toContain(word);
    }
  });

  it("goes out of free fields and states too, with secrets, by the rules of every projection", () => {
    const trajectory = fullRun();
    trajectory.metadata = { ground_truth: "red", note: `key ${SECRET}` };
    trajectory.steps[0]!.stateAfter = { notes: "green", gold_answer: "red", created_at: "kept" };
    trajectory.steps[0]!.observation = { text: `bearer ${SECRET}` };
    trajectory.steps[1]!.extra = { status: "error", error: { name: "E", message: SECRET } };
    const leftOut = new LeftOut();
    const { spans, steps } = sent(trajectory, { leftOut });
    const text = JSON.stringify(spans);
    expect(text).not.toContain(SECRET);
    expect(text).not.toMatch(/"red\\"|gold_answer|ground_truth/);
    expect(leftOut.counts.get("rule:key-answer")).toBe(2);
    const clean = { notes: "green", created_at: "kept" };
    expect(steps[0]!.attributes["asv.state.after.sha256"]).toBe(stateSha256(clean));
    expect(steps[0]!.attributes["asv.state.after"]).toBe(canonicalJson(clean));
  });

  it("is nothing in a run that holds nothing of the kind", () => {
    const leftOut = new LeftOut();
    const trajectory = fullRun();
    trajectory.task.candidateSpace = { type: "closed_set", candidates: [] };
    for (const step of trajectory.steps) {
      for (const key of ["label", "beliefBefore", "rawScoresAfter"] as const) delete step[key];
    }
    delete trajectory.success;
    delete trajectory.finalScore;
    sent(trajectory, { leftOut });
    expect(leftOut.counts.size).toBe(0);
  });
});

describe("hostile names", () => {
  const name = fc.oneof(
    fc.string({ minLength: 1 }),
    fc.constantFrom("__proto__", "constructor", "\ud800", "a\u2028"),
  );

  it("give whole spans with ids of their own, whatever they are", () => {
    fc.assert(
      fc.property(name, fc.uniqueArray(name, { minLength: 1, maxLength: 4 }), name, (id, stepIds, key) => {
        const trajectory = fullRun();
        trajectory.trajectoryId = id;
        trajectory.metadata = Object.fromEntries([[key, { [key]: 1 }]]);
        trajectory.steps = stepIds.map((stepId, index) => ({
          ...trajectory.steps[0]!,
          stepId,
          index,
          extra: Object.fromEntries([[key, key]]),
        }));
        const { spans, steps } = sent(trajectory);
        expect(new Set(spans.map(({ place }) => place.spanId)).size).toBe(stepIds.length + 1);
        expect(steps.map(({ attributes }) => attributes["asv.step.id"])).toEqual(stepIds);
        for (const span of spans) {
          for (const value of Object.values(span.attributes)) {
            expect(
              typeof value === "string" || typeof value === "boolean" || Number.isSafeInteger(value),
            ).toBe(true);
          }
        }
      }),
      { numRuns: 100 },
    );
  });
});
