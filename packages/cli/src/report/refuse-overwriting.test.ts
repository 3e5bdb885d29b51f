import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { outputFiles, refuseOverwriting } from "./refuse-overwriting.ts";

/** A folder with `runs.jsonl`, `link.html` that leads to it, and `linked/` that leads to the folder `real/`. */
function place() {
  const folder = mkdtempSync(join(tmpdir(), "asv-outputs-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const at = (name: string) => join(folder, name);
  writeFileSync(at("runs.jsonl"), "");
  symlinkSync("runs.jsonl", at("link.html"));
  mkdirSync(at("real"));
  symlinkSync("real", at("linked"));
  return { at, inputs: [at("runs.jsonl"), "-"] };
}

describe("refuseOverwriting", () => {
  it("refuses an input under its own name, another spelling, a link, and as a file of a folder", async () => {
    const { at, inputs } = place();
    for (const path of [at("runs.jsonl"), at("./real/../runs.jsonl"), at("link.html")]) {
      await expect(refuseOverwriting([{ option: "--html", path }], inputs)).rejects.toThrow(
        `--html ${path} is a file to be read`,
      );
    }
    const inFolder = outputFiles("--out", at("."), ["summary.json", "runs.jsonl"]);
    await expect(refuseOverwriting(inFolder, inputs)).rejects.toThrow(/^--out .*runs\.jsonl is a file/);
  });

  it("refuses two outputs in one place, also where a link leads there and nothing is there yet", async () => {
    const { at, inputs } = place();
    const two = [
      { option: "--html", path: at("real/page") },
      { option: "--markdown", path: at("linked/page") },
    ];
    await expect(refuseOverwriting(two, inputs)).rejects.toThrow(/^--html and --markdown both write to/);
  });

  it("lets new files, old outputs, missing folders and /dev/null pass", async () => {
    const { at, inputs } = place();
    writeFileSync(at("old.html"), "");
    await refuseOverwriting(
      [
        ...outputFiles("--out", undefined, ["summary.json"]),
        ...outputFiles("--out", at("new/folder"), ["summary.json", "steps.jsonl"]),
        { option: "--html", path: at("old.html") },
        { option: "--junit", path: "/dev/null" },
        { option: "--markdown", path: "/dev/null" },
      ],
      inputs,
    );
  });
});
