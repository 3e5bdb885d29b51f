import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { decodeStepMetrics, type JsonObject, type StepMetrics } from "@agent-step-value/sdk";

const asv = fileURLToPath(new URL("../../packages/cli/bin/asv.js", import.meta.url));

/** What one command line run of import, freeze, score and report left behind. */
export interface CliReport {
  html: string;
  summary: JsonObject;
  steps: StepMetrics[];
}

/**
 * The main job by the command line, as its users run it.
 *
 * @param importing arguments of `asv import`, without `--out`
 * @param reporting further arguments of `asv report`
 */
export function cliReport(
  folder: string,
  name: string,
  importing: readonly string[],
  reporting: readonly string[] = [],
): CliReport {
  mkdirSync(folder, { recursive: true });
  const at = (suffix: string) => join(folder, `${name}${suffix}`);
  const [runs, scores, html, out] = [at(".asv.jsonl"), at(".scores.jsonl"), at(".html"), at("-report")];
  run(["import", ...importing, "--out", runs]);
  run(["candidates", "freeze", runs, "--reviewer", "browser test"]);
  run([
    "score",
    runs,
    "--evaluator",
    "lexical",
    "--protocol",
    "direct",
    "--cache",
    join(folder, "cache"),
    "--out",
    scores,
  ]);
  run(["report", runs, scores, "--html", html, "--out", out, ...reporting]);
  return {
    html,
    summary: JSON.parse(readFileSync(join(out, "summary.json"), "utf8")) as JsonObject,
    steps: readFileSync(join(out, "steps.jsonl"), "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line, i) => decodeStepMetrics(JSON.parse(line), { source: "steps.jsonl", line: i + 1 })),
  };
}

function run(args: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [asv, ...args, "--quiet"], { encoding: "utf8" });
  if (status !== 0) throw new Error(`asv ${args.join(" ")} ended with ${status}\n${stderr}`);
}
