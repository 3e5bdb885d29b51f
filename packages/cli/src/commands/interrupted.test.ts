import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { realPlace, until } from "./real-process.test-support.ts";

const INPUTS = ["direct.jsonl", "rationale.jsonl", "runs.jsonl"];

describe("an interrupted command", () => {
  it.each(["SIGINT", "SIGTERM"] as const)(
    "report ends with 130 on %s, leaves no unfinished file, and what was there before stands",
    async (signal) => {
      const { asv, files, folder, runs } = realPlace();
      mkdirSync(join(folder, "out"));
      writeFileSync(join(folder, "out/summary.json"), "old");
      writeFileSync(join(folder, "report.html"), "old");
      const command = asv("report", "-", "direct.jsonl", "--out", "out", "--html", "report.html");
      command.process.stdin.write(runs); // and more is to come
      await until("four files are being written", () => files().filter(isUnfinished).length === 4);
      command.process.kill(signal);
      expect(await command.ended).toBe(130);
      expect(command.stderr()).toBe(
        "asv: interrupted; unfinished files were removed, and what was there before stands\n",
      );
      expect(files()).toEqual([...INPUTS, "out/summary.json", "report.html"].toSorted());
      expect(readFileSync(join(folder, "out/summary.json"), "utf8")).toBe("old");
      expect(readFileSync(join(folder, "report.html"), "utf8")).toBe("old");
    },
  );

  it("import and compare leave nothing either", async () => {
    const { asv, files, runs } = realPlace();
    const imported = asv("import", "asv-v1", "-", "--out", "imported.jsonl");
    imported.process.stdin.write(runs);
    await until("a file is being written", () => files().some(isUnfinished));
    imported.process.kill("SIGINT");
    expect(await imported.ended).toBe(130);
    const compared = asv("compare", "-", "direct.jsonl", "rationale.jsonl", "--out", "compared");
    compared.process.stdin.write(runs + runs); // so that it has something to say once it reads
    await until("it reads", () => compared.stderr().includes("counts once"));
    compared.process.kill("SIGINT");
    expect(await compared.ended).toBe(130);
    expect(compared.stderr()).toMatch(/\nasv: interrupted\n$/);
    expect(files()).toEqual(INPUTS);
  });

  it("score keeps its cache and part of its records at the first signal, and nothing unfinished at a second", async () => {
    const { asv, files, runs } = realPlace();
    const words = ["score", "-", "--evaluator", "lexical", "--protocol", "direct", "--out", "scores.jsonl"];
    const command = asv(...words);
    command.process.stdin.write(runs);
    await until("records are being written", () => files().some(isUnfinished));
    // At the first it would stop at the next record, and none comes. Two that come together may arrive as one.
    const again = setInterval(() => command.process.kill("SIGINT"), 300);
    const ended = await command.ended.finally(() => clearInterval(again));
    expect(ended).toBe(130);
    expect(files().filter((name) => !name.startsWith(".asv-cache"))).toEqual(INPUTS);
  });
});

function isUnfinished(name: string): boolean {
  return name.endsWith(".tmp");
}
