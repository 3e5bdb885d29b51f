// What is done with the Collector's files afterwards, command by command:
//   node --conditions=@agent-step-value/source examples/otel-collector/measure.ts otel/traces.jsonl
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL, fileURLToPath } from "node:url";

const asv = fileURLToPath(new URL("../../packages/cli/bin/asv.js", import.meta.url));

export interface Measured {
  /** The import's report. */
  readonly imported: Readonly<Record<string, unknown>>;
  /** The summary of the step values. */
  readonly summary: Readonly<Record<string, unknown>>;
  /** The measured runs. */
  readonly runs: string;
}

/**
 * Imports OTLP files, attaches and freezes the candidates, scores with the lexical evaluator and reports.
 *
 * @param candidates the file that the agent's run left, with the candidates and targets of its questions
 * @param folder where everything is written
 */
export function measureRuns(files: readonly string[], candidates: string, folder: string): Measured {
  const [runs, scores, report] = ["runs.asv.jsonl", "scores.jsonl", "report"].map((name) =>
    join(folder, name),
  );
  const imported = run("import", "otlp", ...files, "--out", runs!, "--json");
  run("candidates", "attach", runs!, "--candidates", candidates);
  run("candidates", "freeze", runs!, "--reviewer", "the example");
  const cache = join(folder, "cache");
  run("score", runs!, "--evaluator", "lexical", "--protocol", "direct", "--out", scores!, "--cache", cache);
  const summary = run("report", runs!, scores!, "--json", "--out", report!);
  return { imported: JSON.parse(imported), summary: JSON.parse(summary), runs: runs! };
}

function run(...words: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [asv, ...words], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`asv ${words[0]} ended with ${status}:\n${stderr}`);
  return stdout;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const files = process.argv.slice(2);
  const { imported, summary } = measureRuns(files, "otel-collector.candidates.jsonl", ".");
  console.log(JSON.stringify({ imported, summary }, null, 2));
}
