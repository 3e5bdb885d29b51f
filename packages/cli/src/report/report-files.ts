import { join } from "node:path";
import {
  encodeStepMetrics,
  type DiagnosedStep,
  type JsonObject,
  type StepTypeSummary,
} from "@agent-step-value/sdk";
import { openJsonlWriter } from "@agent-step-value/sdk/jsonl";
import { makeFolder } from "../records/make-folder.ts";
import { openUnfinished } from "../records/unfinished-outputs.ts";
import { csvHeader, csvRow } from "./csv.ts";
import { stepColumns, stepTypeColumns, trajectoryColumns, type TrajectoryRow } from "./tables.ts";
import { commitTogether, openTextFile, type TextFile } from "./text-file.ts";

/** The files of a report, written while the steps come and put in place together at the end. */
export interface ReportFiles {
  addTrajectory(row: TrajectoryRow, steps: readonly DiagnosedStep[]): Promise<void>;
  /** Writes summary and step types, and puts every file in place. */
  commit(summary: JsonObject, stepTypes: readonly StepTypeSummary[]): Promise<void>;
  abort(): Promise<void>;
}

/** What {@link openReportFiles} writes in its folder. */
export const REPORT_FILES: readonly string[] = [
  "summary.json",
  "steps.jsonl",
  "tables/steps.csv",
  "tables/trajectories.csv",
  "tables/step_types.csv",
];

/** Opens `summary.json`, `steps.jsonl` and `tables/*.csv` in a folder, which is made where it is missing. */
export async function openReportFiles(folder: string): Promise<ReportFiles> {
  const tables = join(folder, "tables");
  await makeFolder(tables);
  const stepLines = await openUnfinished(() => openJsonlWriter(join(folder, "steps.jsonl")));
  const files: Pick<TextFile, "commit" | "abort">[] = [stepLines];
  const open = async (path: string): Promise<TextFile> => {
    const file = await openTextFile(path);
    files.push(file);
    return file;
  };
  const steps = await open(join(tables, "steps.csv"));
  const trajectories = await open(join(tables, "trajectories.csv"));
  await steps.write(csvHeader(stepColumns));
  await trajectories.write(csvHeader(trajectoryColumns));
  return {
    addTrajectory: async (row, ofTrajectory) => {
      await trajectories.write(csvRow(trajectoryColumns, row));
      for (const step of ofTrajectory) {
        await stepLines.write(encodeStepMetrics(step));
        await steps.write(csvRow(stepColumns, step));
      }
    },
    commit: async (summary, stepTypes) => {
      const types = await open(join(tables, "step_types.csv"));
      const rows = stepTypes.map((type) => csvRow(stepTypeColumns, type));
      await types.write(csvHeader(stepTypeColumns) + rows.join(""));
      const whole = await open(join(folder, "summary.json"));
      await whole.write(`${JSON.stringify(summary, null, 2)}\n`);
      await commitTogether(files);
    },
    abort: async () => {
      for (const file of files) await file.abort();
    },
  };
}
