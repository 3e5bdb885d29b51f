import type { ScoreFileRecord } from "@agent-step-value/sdk";
import { describe, expect, it } from "vitest";
import { createReplyWatch } from "./reply-watch.ts";

const scored = (modelReturned: string, fingerprint = "fp") =>
  ({ record: "score", modelReturned, fingerprint }) as ScoreFileRecord;
const unscored = (reason: string) => ({ record: "unscored", reason }) as ScoreFileRecord;
const watched = (model: string, ...records: ScoreFileRecord[]) => {
  const watch = createReplyWatch(model);
  for (const record of records) watch.see(record);
  return watch;
};

describe("createReplyWatch", () => {
  it.each([
    ["gpt-4.1-mini", "gpt-4.1-mini-2025-04-14"],
    ["deepseek/deepseek-v4-flash", "deepseek-v4-flash"],
    ["Qwen3:4b", "qwen3:4b"],
    ["qwen3", "qwen3:4b"],
  ])("%s may answer as %s", (asked, answered) => {
    expect(watched(asked, scored(answered)).warnings()).toEqual([]);
  });

  it.each([
    ["gpt-4.1", "gpt-4.10"],
    ["m-1", "another-model-1"],
    ["gpt-4.1-mini", "gpt-4.1"],
  ])("%s that answers as %s is told once", (asked, answered) => {
    const [warning, ...more] = watched(asked, scored(answered), scored(answered)).warnings();
    expect(warning).toMatch(`asked for the model ${asked}, but ${answered} answered`);
    expect(more).toEqual([]);
  });

  it("tells of a server that changed, and counts reasons, the most frequent first", () => {
    expect(watched("m", scored("m", "fp-1"), scored("m", "fp-2")).warnings()).toEqual([
      expect.stringMatching(/2 fingerprints/),
    ]);
    const reasons = ["refusal: no", "no_logprobs: a: b", "no_logprobs: c"].map(unscored);
    expect(watched("m", ...reasons).reasons()).toBe("no_logprobs (2), refusal (1)");
    expect(watched("m", scored("m")).reasons()).toBe("");
  });
});
