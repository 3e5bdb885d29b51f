import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../schema/index.ts";
import { linesOf, liveRecords, statesOf, wholeTrajectory } from "./live-lines.test-support.ts";
import { readTrajectories } from "./read-trajectories.ts";
import { chain, read, refusal, states } from "./reading.test-support.ts";
import { streamOf, temporaryFolder } from "./temporary-files.test-support.ts";

const folder = temporaryFolder();

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

  it("are given no before-state that they do not name", async () => {
    const records = liveRecords("t", 2);
    delete records[2]!["before_sha256"];
    const { trajectories } = await read(streamOf(linesOf(...records)));
    const [first, second] = trajectories[0]!.steps;
    expect(first!.stateBefore).toEqual(statesOf("t", 2)[0]);
    expect("stateBefore" in second!).toBe(false);
    expect(second!.stateAfter).toEqual(statesOf("t", 2)[2]);
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
