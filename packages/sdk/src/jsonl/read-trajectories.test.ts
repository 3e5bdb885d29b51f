import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AsvError } from "../errors/index.ts";
import type { JsonObject, Trajectory } from "../schema/index.ts";
import { sharedFile } from "../testing/shared-data.ts";
import { linesOf, liveRecords, statesOf, wholeTrajectory } from "./live-lines.test-support.ts";
import { readTrajectories } from "./read-trajectories.ts";
import type { ReadWarning } from "./read-warning.ts";
import type { JsonlSource } from "./source.ts";
import { collect, streamOf, temporaryFolder } from "./temporary-files.test-support.ts";

const folder = temporaryFolder();

async function read(...sources: JsonlSource[]) {
  const warnings: ReadWarning[] = [];
  const onWarning = (warning: ReadWarning): void => void warnings.push(warning);
  const trajectories = await collect(readTrajectories(sources, { onWarning }));
  return {
    trajectories,
    ids: trajectories.map(({ trajectoryId }) => trajectoryId),
    warnings: warnings.map(({ code, line }) => `${code}:${line}`),
    messages: warnings.map(({ message }) => message),
  };
}

async function refusal(...sources: JsonlSource[]): Promise<AsvError> {
  try {
    await read(...sources);
  } catch (error) {
    if (AsvError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

function states({ steps }: Trajectory): [unknown, unknown][] {
  return steps.map(({ stateBefore, stateAfter }) => [stateBefore, stateAfter]);
}

function chain(id: string, count: number): [unknown, unknown][] {
  const all = statesOf(id, count);
  return all.slice(1).map((after, i) => [all[i], after]);
}

describe("whole trajectories", () => {
  it("come in file order, from many files", async () => {
    const first = folder.file("w1.jsonl", linesOf(wholeTrajectory("b", 2), wholeTrajectory("a", 1)));
    const second = folder.file("w2.jsonl", linesOf(wholeTrajectory("c", 0)));
    expect((await read(first, second)).ids).toEqual(["b", "a", "c"]);
    expect(await collect(readTrajectories(first))).toHaveLength(2);
  });

  it("count once when they come twice, and the repeat is reported", async () => {
    const file = folder.file("twice.jsonl", linesOf(wholeTrajectory("a", 2), wholeTrajectory("a", 2)));
    const { ids, warnings, messages } = await read(file, file);
    expect(ids).toEqual(["a"]);
    expect(warnings).toEqual(["duplicate:2", "duplicate:1", "duplicate:2"]);
    expect(messages[0]).toContain(`repeats ${file}:1 and counts once`);
  });

  it("count once when the repeat is only written in another way", async () => {
    const json = wholeTrajectory("a", 2);
    const reordered = { ...Object.fromEntries(Object.entries(json).toReversed()), final_score: null };
    const spaced = JSON.stringify(reordered, null, 1).replaceAll("\n", " ");
    const file = folder.file("reordered.jsonl", `${JSON.stringify(json)}\n${spaced}\n`);
    expect((await read(file)).warnings).toEqual(["duplicate:2"]);
  });

  it("of one id with other content are refused, and both places named", async () => {
    const first = folder.file("one.jsonl", linesOf(wholeTrajectory("z", 1), wholeTrajectory("a", 2)));
    const second = folder.file("other.jsonl", linesOf(wholeTrajectory("a", 3)));
    const error = await refusal(first, second);
    expect(error.code).toBe("conflicting_records");
    expect(error.message).toContain(`${second}:1:`);
    expect(error.message).toContain(`differs from the one at ${first}:2`);
  });

  it("give file, line and field of a bad value", async () => {
    const json = wholeTrajectory("a", 2);
    (json["steps"] as JsonObject[])[1]!["belief_before"] = { c1: 0.5, c2: 0.6 };
    const file = folder.file("belief.jsonl", linesOf(wholeTrajectory("b", 1), json));
    const error = await refusal(file);
    expect(error.message).toContain(`${file}:2: field steps[1].belief_before: must sum to 1`);
  });

  it("may have 10,000 steps", async () => {
    const [trajectory] = (await read(streamOf(linesOf(wholeTrajectory("long", 10_000))))).trajectories;
    expect(trajectory!.steps).toHaveLength(10_000);
    expect(trajectory!.steps[9999]!.stateAfter).toEqual({ notes: "long knows 10000 things", count: 10_000 });
  });

  it("may have states of 5 MB", async () => {
    const json = wholeTrajectory("big", 2);
    const text = "é".repeat(2_500_000);
    for (const step of json["steps"] as JsonObject[]) step["state_after"] = { text };
    const [trajectory] = (await read(folder.file("big.jsonl", linesOf(json)))).trajectories;
    expect(trajectory!.steps.map(({ stateAfter }) => (stateAfter!["text"] as string).length)).toEqual([
      2_500_000, 2_500_000,
    ]);
  });
});

describe("live records", () => {
  it("become a trajectory whose states are chained", async () => {
    const { trajectories } = await read(folder.file("live.jsonl", linesOf(...liveRecords("t", 3))));
    expect(trajectories).toHaveLength(1);
    expect(trajectories[0]).toMatchObject({ trajectoryId: "t", status: "done", sourceAdapter: "test" });
    expect(states(trajectories[0]!)).toEqual(chain("t", 3));
    expect(trajectories[0]!.steps[1]!.stateBefore).toBe(trajectories[0]!.steps[0]!.stateAfter);
  });

  it("without close are partial, and keep their finished steps", async () => {
    const lines = linesOf(...liveRecords("t", 3).slice(0, 3));
    const torn = `${lines}{"schema_version":"asv.v1","record":"step","traj`;
    const { trajectories, warnings } = await read(folder.file("killed.jsonl", torn));
    expect(trajectories[0]!.status).toBe("partial");
    expect(states(trajectories[0]!)).toEqual(chain("t", 3).slice(0, 2));
    expect(warnings).toEqual(["torn_line:4"]);
  });

  it("may come in any order, cut over any files and streams, whole trajectories between them", async () => {
    const records = [
      ...liveRecords("t", 3),
      ...liveRecords("u", 2),
      wholeTrajectory("v", 1),
      ...liveRecords("w", 0),
    ];
    const property = fc.asyncProperty(
      fc.shuffledSubarray(records, { minLength: records.length }),
      fc.nat(records.length),
      fc.boolean(),
      async (shuffled, cut, asStream) => {
        const parts = [linesOf(...shuffled.slice(0, cut)), linesOf(...shuffled.slice(cut))];
        const sources = parts.map((part, i) =>
          asStream ? streamOf(part) : folder.file(`mix-${i}.jsonl`, part),
        );
        const { trajectories } = await read(...sources);
        const byId = new Map(trajectories.map((trajectory) => [trajectory.trajectoryId, trajectory]));
        expect([...byId.keys()].sort()).toEqual(["t", "u", "v", "w"]);
        expect(states(byId.get("t")!)).toEqual(chain("t", 3));
        expect(states(byId.get("u")!)).toEqual(chain("u", 2));
        expect(byId.get("w")!.status).toBe("done");
      },
    );
    await fc.assert(property, { numRuns: 60 });
  });

  it("of a file are let go with the last record of their trajectory", async () => {
    const [openA, ...restA] = liveRecords("a", 2);
    const file = folder.file("early.jsonl", linesOf(openA!, ...liveRecords("b", 1), ...restA, { bad: 1 }));
    const seen: string[] = [];
    await expect(async () => {
      for await (const { trajectoryId } of readTrajectories(file)) seen.push(trajectoryId);
    }).rejects.toThrow(/early\.jsonl:8/);
    expect(seen).toEqual(["b", "a"]);
  });

  it("are counted right however their lines are written", async () => {
    const spaced = liveRecords('id "1" é', 2).map((record) =>
      JSON.stringify(record, null, 1).replaceAll("\n", ""),
    );
    const plain = liveRecords("plain", 2).map((record) => JSON.stringify(record));
    const file = folder.file("spaced.jsonl", [...spaced, ...plain].join("\n"));
    const { ids, trajectories } = await read(file);
    expect(ids).toEqual(['id "1" é', "plain"]);
    expect(trajectories.map(({ steps }) => steps.length)).toEqual([2, 2]);
  });

  it("are folded when they repeat, and each warning comes once", async () => {
    const records = liveRecords("t", 2);
    const file = folder.file("again.jsonl", linesOf(...records, records[1]!, ...records));
    const { trajectories, warnings } = await read(file);
    expect(states(trajectories[0]!)).toEqual(chain("t", 2));
    expect(warnings).toEqual([5, 6, 7, 8, 9].map((line) => `duplicate:${line}`));
  });

  it("of one step with other content are refused, and both places named", async () => {
    const records = liveRecords("t", 2);
    const other = { ...records[1]!, action: { type: "other" } };
    const file = folder.file("conflict.jsonl", linesOf(...records, other));
    const error = await refusal(file);
    expect(error.code).toBe("conflicting_records");
    expect(error.message).toContain(`${file}:5: step "t-s0" (string of 4) of trajectory "t" (string of 1)`);
    expect(error.message).toContain(`differs from the one at ${file}:2`);
  });

  it("of two steps with one index are refused", async () => {
    const records = liveRecords("t", 1);
    const error = await refusal(streamOf(linesOf(...records, { ...records[1]!, step_id: "twin" })));
    expect(error.code).toBe("conflicting_records");
    expect(error.fields).toMatchObject({ line: 4, path: "index" });
  });

  it("fold with the whole trajectory they were packed into, in either order", async () => {
    const records = liveRecords("t", 2);
    const whole = { ...wholeTrajectory("t", 2), source_adapter: "test", status: "done" };
    const a = folder.file("fold-live.jsonl", linesOf(...records));
    const b = folder.file("fold-whole.jsonl", linesOf(whole));
    for (const sources of [
      [a, b],
      [b, a],
      [streamOf(linesOf(...records)), b],
    ]) {
      const { ids, warnings } = await read(...sources);
      expect(ids).toEqual(["t"]);
      expect(warnings.map((warning) => warning.split(":")[0])).toEqual(["duplicate"]);
    }
    const changed = folder.file("fold-other.jsonl", linesOf({ ...whole, status: "failed" }));
    expect((await refusal(a, changed)).code).toBe("conflicting_records");
    expect((await refusal(changed, a)).code).toBe("conflicting_records");
  });

  it.each([
    ["a changed after-state", 2, { state_after: { notes: "tampered" } }, 3, "after_sha256"],
    ["a wrong digest of the state before", 1, { before_sha256: "0".repeat(64) }, 2, "before_sha256"],
  ])("with %s are damaged", async (_, at, change, line, path) => {
    const records = liveRecords("t", 3);
    records[at] = { ...records[at]!, ...change } as JsonObject;
    const error = await refusal(streamOf(linesOf(...records)));
    expect(error.code).toBe("damaged");
    expect(error.fields).toMatchObject({ line, path });
  });

  it("are damaged where a step is missing from the chain", async () => {
    const records = liveRecords("t", 3);
    const error = await refusal(streamOf(linesOf(...records.filter((_, i) => i !== 2))));
    expect(error.code).toBe("damaged");
    expect(error.message).toContain("A record is missing");
  });

  it("keep a discontinuity with its own before-state", async () => {
    const records = liveRecords("t", 2);
    const edited = { notes: "edited by the actor" };
    records[2] = { ...records[2]!, state_before: edited, discontinuity: true };
    delete records[2]["before_sha256"];
    const { trajectories } = await read(streamOf(linesOf(...records)));
    const [first, second] = trajectories[0]!.steps;
    expect(second).toMatchObject({ stateBefore: edited, discontinuity: true });
    expect(first!.stateAfter).toEqual(statesOf("t", 2)[1]);
  });

  it("add up their redaction hits, and keep unknown keys", async () => {
    const records = liveRecords("t", 2);
    const redaction = { policy: "default", version: "1" };
    records[0] = { ...records[0]!, host: "h" };
    records[1] = { ...records[1]!, redaction: { ...redaction, hits: { secret: 2, __proto__x: 1 } }, lap: 1 };
    records[2] = { ...records[2]!, redaction: { ...redaction, hits: { secret: 3 } } };
    const [trajectory] = (await read(streamOf(linesOf(...records)))).trajectories;
    expect(trajectory!.redaction).toEqual({ ...redaction, hits: { secret: 5, __proto__x: 1 } });
    expect(trajectory!.extra).toEqual({ host: "h" });
    expect(trajectory!.steps[0]!.extra).toEqual({ lap: 1 });
  });

  it("without their open record, or with strange ids, are refused at their own line", async () => {
    const orphan = await refusal(streamOf(linesOf(...liveRecords("t", 2).slice(1))));
    expect(orphan.fields).toMatchObject({ line: 1, path: "trajectory_id" });
    expect(orphan.message).toContain("has no open record");
    const records = liveRecords("t", 2);
    records[2] = { ...records[2]!, belief_after: { c9: 1 } };
    const strange = await refusal(streamOf(linesOf(...records)));
    expect(strange.fields).toMatchObject({ line: 3, path: "belief_after" });
  });

  it("need an index and a known schema version", async () => {
    const records = liveRecords("t", 1);
    const { index: _, ...withoutIndex } = records[1]!;
    expect((await refusal(streamOf(linesOf(withoutIndex)))).fields).toMatchObject({ line: 1, path: "index" });
    const future = { ...records[1]!, schema_version: "asv.v2" };
    expect((await refusal(streamOf(linesOf(future)))).code).toBe("unknown_schema_version");
  });

  it("may be 10,000 steps of one trajectory", async () => {
    const [trajectory] = (await read(streamOf(linesOf(...liveRecords("long", 10_000))))).trajectories;
    expect(trajectory!.steps).toHaveLength(10_000);
    expect(trajectory!.steps[9999]!.stateBefore).toBe(trajectory!.steps[9998]!.stateAfter);
  });
});

describe("sources", () => {
  it("are all looked at before the first is read", async () => {
    const good = folder.file("good.jsonl", linesOf(wholeTrajectory("a", 1)));
    const seen: string[] = [];
    await expect(async () => {
      for await (const { trajectoryId } of readTrajectories([good, folder.path("gone.jsonl")])) {
        seen.push(trajectoryId);
      }
    }).rejects.toMatchObject({ code: "unreadable_source" });
    expect(seen).toEqual([]);
  });

  it("that are nothing of the kind are refused", async () => {
    await expect(read(7 as unknown as JsonlSource)).rejects.toMatchObject({ code: "invalid_argument" });
    await expect(read(streamOf(7 as unknown as string))).rejects.toMatchObject({ code: "invalid_argument" });
  });

  it("that fail pass their own error on", async () => {
    async function* broken(): AsyncGenerator<string> {
      yield await Promise.resolve(linesOf(wholeTrajectory("a", 1)));
      throw new Error("socket closed");
    }
    await expect(read(broken())).rejects.toThrow("socket closed");
  });

  const files = ["reference/sample_trajectories.jsonl", "reference/smoke_trajectory.jsonl"].map(sharedFile);
  it.skipIf(files.includes(undefined))("of the Python toolkit are read", async () => {
    const { trajectories, warnings } = await read(...(files as string[]));
    expect(trajectories.map(({ steps }) => steps.length)).toEqual([2, 3]);
    expect(warnings).toEqual([]);
  });
});
