import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { realPlace } from "./real-process.test-support.ts";

const SCORED = ["runs.jsonl", "direct.jsonl"];

describe("a reader that goes away", () => {
  it.each<[number, string[]]>([
    [0, ["report", ...SCORED, "--resamples", "200"]],
    [3, ["report", ...SCORED, "--resamples", "200", "--gate", "mean_margin_gain>=1000"]],
    [3, ["compare", ...SCORED, "rationale.jsonl", "--resamples", "200", "--gate", "signed_effect>=1000"]],
  ])("before anything is printed: %i from %j", async (code, words) => {
    const { asv, files } = realPlace();
    const command = asv(...words, "--json");
    command.process.stdout.destroy(); // long before the process has started
    expect(await command.ended).toBe(code);
    expect(command.stderr()).not.toMatch(/EPIPE|cannot|Error/);
    expect(files().filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("head -1 gets its line of a report, and report its own exit code and files", async () => {
    const { shell, folder } = realPlace();
    const command = shell(
      `{ $ASV report ${SCORED.join(" ")} --resamples 200 --out out --gate 'damage_rate<0'; echo $? > code; } | head -1 > line`,
    );
    expect(await command.ended).toBe(0);
    expect(readFileSync(join(folder, "line"), "utf8")).toMatch(/^measured 66 of 66 steps .*\n$/);
    expect(readFileSync(join(folder, "code"), "utf8")).toBe("3\n");
    expect(command.stderr()).toContain("gate damage_rate<0: failed");
    expect(readFileSync(join(folder, "out/summary.json"), "utf8").endsWith("}\n")).toBe(true);
  });

  it("ends a command in the midst of more than a pipe holds, with 0 and without a word", async () => {
    const { shell, folder } = realPlace(60);
    const command = shell(
      "{ $ASV export runs.jsonl --as otlp --out -; echo $? > code; } | head -c 1 > first",
    );
    expect(await command.ended).toBe(0);
    expect(readFileSync(join(folder, "first"), "utf8")).toBe("{");
    expect(readFileSync(join(folder, "code"), "utf8")).toBe("0\n");
    expect(command.stderr()).toBe("");
  });

  it("takes no file along: cues writes its list before it prints", async () => {
    const { asv, folder, files } = realPlace();
    const audit = ["audit", "runs.jsonl", "direct.jsonl", "rationale.jsonl", "--out", "audit", "--cues"];
    expect(await asv(...audit, "--size", "5", "--resamples", "200").ended).toBe(0);
    const command = asv("cues", "audit/cues.jsonl", "--out", "list.jsonl");
    command.process.stdout.destroy();
    expect(await command.ended).toBe(0);
    expect(readFileSync(join(folder, "list.jsonl"), "utf8").split("\n")).toHaveLength(6);
    expect(files().filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });
});
