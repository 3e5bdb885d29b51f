import { describe, expect, it } from "vitest";
import type { JsonObject } from "../schema/index.ts";
import { sharedFile } from "../testing/shared-data.ts";
import { linesOf, wholeTrajectory } from "./live-lines.test-support.ts";
import { readTrajectories } from "./read-trajectories.ts";
import { read, refusal } from "./reading.test-support.ts";
import type { JsonlSource } from "./source.ts";
import { collect, streamOf, temporaryFolder } from "./temporary-files.test-support.ts";

const folder = temporaryFolder();

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
