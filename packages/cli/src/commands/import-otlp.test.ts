import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { workplace } from "./in-process.test-support.ts";

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../../adapter-otel/fixtures/collector/${name}`, import.meta.url));

describe("asv import otlp", () => {
  it("imports what a Collector wrote, in every framing, ends with 0, and gives a file that checks", async () => {
    const { done, lines, at } = workplace();
    const written: unknown[][] = [];
    for (const name of ["traces.jsonl", "traces.pb", "traces.jsonl.zst", "traces.pb.zst"]) {
      const { stderr } = await done("import", "otlp", fixture(`live/${name}`), "--out", "./runs.jsonl");
      expect(stderr).toContain("imported 2 trajectories, 6 steps from 8 spans");
      written.push(lines("runs.jsonl"));
    }
    for (const file of written) expect(file).toEqual(written[0]);
    expect((await done("check", at("runs.jsonl"))).stdout).toContain("2 trajectories, 6 steps: valid");
  });

  it("joins the log records beside the spans", async () => {
    const { done, lines } = workplace();
    const files = ["traces.pb", "logs.pb"].map((name) => fixture(`exported/${name}`));
    const { stdout } = await done("import", "otlp", ...files, "--out", "./runs.jsonl", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ outcome: "complete", states: { log: 12 }, fileCount: 2 });
    expect(lines("runs.jsonl")).toHaveLength(2);
  });

  it("ends with 4 where something was lost, and says where and how much", async () => {
    const { asv, at, lines } = workplace();
    const whole = readFileSync(fixture("live/traces.jsonl"));
    writeFileSync(at("cut.jsonl"), Buffer.concat([whole, whole.subarray(0, 1000)]));
    const cut = await asv("import", "otlp", "./cut.jsonl", "--out", "./runs.jsonl");
    expect(cut.status).toBe(4);
    expect(cut.stderr).toContain(
      `torn (1): ${at("cut.jsonl")}: at byte ${whole.length}, message 2: not valid JSON`,
    );
    expect(lines("runs.jsonl")).toHaveLength(2);

    const bare = await asv("import", "otlp", fixture("exported/traces.pb"), "--out", "./bare.jsonl");
    expect(bare.status).toBe(4);
    expect(bare.stderr).toContain(
      "12 states have only their digest here; give the capture with --states FILE",
    );
    const joined = await asv(
      "import",
      "otlp",
      fixture("exported/traces.pb"),
      "--states",
      fixture("runs.asv.jsonl"),
      "--out",
      "./bare.jsonl",
    );
    expect([joined.status, joined.stderr]).toEqual([0, expect.not.stringContaining("warning")]);
  });

  it("ends with 2 and leaves the output alone where there is nothing to import", async () => {
    const { asv, at, text } = workplace();
    writeFileSync(at("runs.jsonl"), "what was there\n");
    writeFileSync(at("words.jsonl"), "no spans\n");
    writeFileSync(at("noise.bin"), Buffer.alloc(64, 0xab));
    for (const [file, said] of [
      ["./noise.bin", "unknown (1)"],
      ["./words.jsonl", "there is no trajectory in 1 file(s), which hold no span"],
      ["./absent.pb", "cannot read it (ENOENT)"],
    ] as const) {
      const { status, stderr, stdout } = await asv("import", "otlp", file, "--out", "./runs.jsonl", "--json");
      expect([status, stderr]).toEqual([2, expect.stringContaining(said)]);
      if (file !== "./absent.pb") expect(JSON.parse(stdout)).toMatchObject({ outcome: "unusable" });
      expect(text("runs.jsonl")).toBe("what was there\n");
    }
    expect(existsSync(at("other.jsonl"))).toBe(false);
  });

  it("refuses an unknown convention before anything is read", async () => {
    const { asv } = workplace();
    const { status, stderr } = await asv("import", "otlp", fixture("live/traces.pb"), "--convention", "none");
    expect([status, stderr]).toEqual([1, expect.stringContaining("convention must be one of")]);
  });
});
