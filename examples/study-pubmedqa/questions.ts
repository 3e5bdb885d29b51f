import { readFileSync } from "node:fs";
import { importPubmedqa, type ImportLine, type PubmedqaOptions, type Trajectory } from "./sdk.ts";

/** The questions of a PubMedQA file as trajectories, in file order. */
export async function readQuestions(file: string, options: PubmedqaOptions = {}): Promise<Trajectory[]> {
  const lines = readFileSync(file, "utf8").split("\n");
  const records = lines.flatMap((text, i): ImportLine[] =>
    text === "" ? [] : [{ source: file, line: i + 1, text }],
  );
  const run = importPubmedqa(records, options);
  const trajectories: Trajectory[] = [];
  for await (const trajectory of run) trajectories.push(trajectory);
  for (const { code, message, place } of run.report.warnings) {
    process.stderr.write(`${place?.source}:${place?.line}: ${code}: ${message}\n`);
  }
  return trajectories;
}
