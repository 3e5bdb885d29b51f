import type { Trajectory } from "../../schema/index.ts";
import { encodeRow, encodeStateRows } from "./encode-rows.ts";
import { asvEvalRows, type AsvEvalConfig } from "./step-row.ts";
import { asvEvalSummary, encodeAsvEvalSummary, type AsvEvalSummaryOptions } from "./summary-file.ts";
import { stepsTable, stepTypeTable, trajectoryTable } from "./tables.ts";

/** Texts of the files of a report bundle, by path. */
export type AsvEvalFiles = Record<
  | "steps.jsonl"
  | "states.jsonl"
  | "summary.json"
  | "tables/steps.csv"
  | "tables/trajectory_summary.csv"
  | "tables/step_type_summary.csv",
  string
>;

/**
 * The Python toolkit's report files for trajectories that carry beliefs or raw scores.
 *
 * Names, rounding and number formats are the toolkit's, its log-sum-exp margin included under its own
 * name `gold_margin_*`. Steps without numbers have no row. Use {@link scoredTrajectories} first for
 * scores from score files, {@link applyBeliefFixture} for beliefs from a fixture.
 */
export function asvEvalFiles(
  trajectories: readonly Trajectory[],
  options: AsvEvalConfig & AsvEvalSummaryOptions = {},
): AsvEvalFiles {
  const { evaluator, resamples, seed, ...config } = options;
  const rows = trajectories.flatMap((trajectory) => asvEvalRows(trajectory, config));
  const summary = asvEvalSummary(trajectories, rows, {
    ...(evaluator === undefined ? {} : { evaluator }),
    ...(resamples === undefined ? {} : { resamples }),
    ...(seed === undefined ? {} : { seed }),
  });
  return {
    "steps.jsonl": lines(rows.map(encodeRow)),
    "states.jsonl": lines(rows.flatMap(encodeStateRows)),
    "summary.json": encodeAsvEvalSummary(summary),
    "tables/steps.csv": stepsTable(rows),
    "tables/trajectory_summary.csv": trajectoryTable(rows),
    "tables/step_type_summary.csv": stepTypeTable(rows),
  };
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join("");
}
