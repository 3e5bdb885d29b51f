import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { linesOf, liveRecords, wholeTrajectory } from "./live-lines.test-support.ts";
import { packTrajectories } from "./pack-trajectories.ts";
import { readTrajectories } from "./read-trajectories.ts";
import { collect, temporaryFolder } from "./temporary-files.test-support.ts";

const folder = temporaryFolder();

describe("packTrajectories", () => {
  it("writes whole trajectories that read the same as the live records", async () => {
    const open = liveRecords("cut", 2).slice(0, 2);
    const source = folder.file(
      "live.jsonl",
      linesOf(...liveRecords("t", 3), ...open, wholeTrajectory("w", 1)),
    );
    const out = folder.path("packed.jsonl");
    expect(await packTrajectories(source, out)).toEqual({ trajectories: 3, steps: 5, partial: 1 });
    expect(await collect(readTrajectories(out))).toEqual(await collect(readTrajectories(source)));
    expect(readFileSync(out, "utf8")).not.toContain('"record"');
  });

  it("changes nothing when it packs a packed file, even onto itself", async () => {
    const source = folder.file("again.jsonl", linesOf(...liveRecords("t", 2), wholeTrajectory("w", 1)));
    await packTrajectories(source, source);
    const once = readFileSync(source);
    await packTrajectories(source, source);
    expect(readFileSync(source).equals(once)).toBe(true);
  });

  it("leaves nothing behind where a source is bad", async () => {
    const source = folder.file("bad.jsonl", `${linesOf(wholeTrajectory("w", 1))}oops\n`);
    const out = folder.path("never.jsonl");
    await expect(packTrajectories(source, out)).rejects.toMatchObject({ code: "invalid_record" });
    expect(existsSync(out)).toBe(false);
  });
});
