import { lstatSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { asv, asvDone, folder } from "./asv.ts";

const stored = fileURLToPath(
  new URL("../../examples/quickstart/data/evidence-questions.asv.jsonl", import.meta.url),
);

/** A folder with frozen runs and a complete score file of them. */
function scored(): { at: string; complete: string } {
  const at = folder();
  asvDone(at, "import", "asv-v1", stored, "--out", "runs.jsonl");
  asvDone(at, "candidates", "freeze", "runs.jsonl", "--reviewer", "a person");
  asvDone(at, "score", "runs.jsonl", "--out", "scores.jsonl");
  return { at, complete: readFileSync(join(at, "scores.jsonl"), "utf8") };
}

describe("a scoring run that stops early", () => {
  it("leaves a fuller score file, and one of another protocol, as it was, and says so", () => {
    const { at, complete } = scored();
    for (const protocol of ["direct", "direct@evidence"]) {
      const stopped = asv(
        at,
        "score",
        "runs.jsonl",
        "--protocol",
        protocol,
        "--cache",
        "new",
        "--max-calls",
        "3",
        "--out",
        "scores.jsonl",
      );
      expect(stopped.status).toBe(5);
      expect(stopped.stderr).toMatch(/-> scores\.jsonl\.partial/);
      expect(stopped.stderr).toMatch(/scores\.jsonl holds more, or another run, and was left as it was/);
      expect(readFileSync(join(at, "scores.jsonl"), "utf8")).toBe(complete);
      const partial = readFileSync(join(at, "scores.jsonl.partial"), "utf8");
      expect(partial.match(/"record":"score"/g)!.length).toBeGreaterThanOrEqual(3);
    }
  });

  it("outdoes what an earlier stop left, and a whole run replaces anything", () => {
    const { at, complete } = scored();
    const stop = (calls: string) =>
      asv(at, "score", "runs.jsonl", "--cache", "c", "--max-calls", calls, "--out", "new.jsonl");
    stop("3");
    expect(stop("5").stderr).toMatch(/-> new\.jsonl\n/);
    asvDone(at, "score", "runs.jsonl", "--cache", "c", "--out", "new.jsonl");
    expect(readFileSync(join(at, "new.jsonl"), "utf8")).toBe(complete);
  });

  it("offers no resume where nothing was kept", () => {
    const { at } = scored();
    const stopped = asv(at, "score", "runs.jsonl", "--no-cache", "--max-calls", "3", "--out", "new.jsonl");
    expect(stopped.stderr).toMatch(/nothing was kept/);
    expect(stopped.stderr).not.toMatch(/resume with/);
  });

  it("writes through a symbolic link", () => {
    const { at, complete } = scored();
    symlinkSync("real.jsonl", join(at, "link.jsonl"));
    writeFileSync(join(at, "real.jsonl"), "");
    asvDone(at, "score", "runs.jsonl", "--out", "link.jsonl");
    expect(lstatSync(join(at, "link.jsonl")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(at, "real.jsonl"), "utf8")).toBe(complete);
  });
});

describe("score files that cannot be trusted", () => {
  it("are refused: an edited protocol line, a missing one, two scores for one state", () => {
    const { at, complete } = scored();
    const refuse = (name: string, text: string, says: RegExp) => {
      writeFileSync(join(at, name), text);
      const { status, stderr } = asv(at, "report", "runs.jsonl", "scores.jsonl", name);
      expect(stderr).toMatch(says);
      expect(status).toBe(2);
    };
    refuse(
      "other.jsonl",
      complete.replace('"none-of-the-above":0.6', '"none-of-the-above":0.7'),
      /score records of one state differ/,
    );
    const alone = (name: string, text: string) => {
      writeFileSync(join(at, name), text);
      return asv(at, "report", "runs.jsonl", name);
    };
    expect(alone("edited.jsonl", complete.replace('"score":-20', '"score":-30'))).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/digest of its settings/),
    });
    expect(alone("headless.jsonl", complete.slice(complete.indexOf("\n") + 1))).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/without its protocol line/),
    });
  });
});

describe("candidates freeze", () => {
  it("names file and record of what cannot be frozen, and exits 2", () => {
    const at = folder();
    asvDone(at, "import", "asv-v1", stored, "--out", "runs.jsonl");
    const [first, ...rest] = readFileSync(join(at, "runs.jsonl"), "utf8").split("\n");
    const bad = JSON.parse(first!);
    bad.task.candidate_space.candidates = [];
    delete bad.task.candidate_space.gold_candidate_id;
    writeFileSync(join(at, "runs.jsonl"), [JSON.stringify(bad), ...rest].join("\n"));
    const { status, stderr } = asv(at, "candidates", "freeze", "runs.jsonl", "--reviewer", "a person");
    expect(stderr).toMatch(new RegExp(`runs\\.jsonl: trajectory "${bad.trajectory_id}".*2 to 26 candidates`));
    expect(status).toBe(2);
  });
});
