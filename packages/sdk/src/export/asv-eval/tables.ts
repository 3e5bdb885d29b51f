import { quantile } from "../../math/index.ts";
import { csvTable, type CsvCell } from "./csv.ts";
import { compareCodePoints } from "./python-json.ts";
import { PythonFloat } from "./python-float.ts";
import { round6 } from "./python-round.ts";
import { mean6 } from "./rounded-mean.ts";
import type { AsvEvalRow } from "./step-row.ts";

const STEP_COLUMNS = [
  "net_asv",
  "realized_entropy_reduction",
  "bayesian_surprise_kl",
  "js_pivot_score",
  "cost_scalar",
] as const;
const GOLD_COLUMNS = [
  "gold_log_likelihood_gain",
  "oracle_gold_log_likelihood_gain",
  "gold_margin_before",
  "gold_margin_after",
  "gold_margin_gain",
  "semantic_gold_distance_before",
  "semantic_gold_distance_after",
  "semantic_gold_gain",
] as const;

/** `tables/steps.csv`: one line a row, in their order. */
export function stepsTable(rows: readonly AsvEvalRow[]): string {
  return csvTable(
    ["trajectory_id", "step_id", ...STEP_COLUMNS, ...GOLD_COLUMNS, "label"],
    rows.map((row) => [
      row.trajectory_id,
      row.step_id,
      ...STEP_COLUMNS.map((name) => new PythonFloat(row.asv_components[name])),
      ...GOLD_COLUMNS.map((name) => floatCell(row.gold_metrics[name])),
      row.label ?? "",
    ]),
  );
}

/** Margin gains of one trajectory. */
export interface TrajectoryGains {
  trajectoryId: string;
  steps: number;
  gains: number[];
  /** Rounded to 6 decimals; null without gains. */
  mean: number | null;
}

/** Margin gains by trajectory, ids ascending. */
export function gainsByTrajectory(rows: readonly AsvEvalRow[]): TrajectoryGains[] {
  const groups = groupBy(rows, (row) => row.trajectory_id);
  return groups.map(([trajectoryId, members]) => {
    const gains = gainsOf(members);
    return { trajectoryId, steps: members.length, gains, mean: gains.length === 0 ? null : mean6(gains) };
  });
}

/** `tables/trajectory_summary.csv`; an empty file without rows, as the toolkit writes it. */
export function trajectoryTable(rows: readonly AsvEvalRow[]): string {
  if (rows.length === 0) return "";
  return csvTable(
    [
      "trajectory_id",
      "step_count",
      "gold_margin_step_count",
      "mean_gold_margin_gain",
      "positive_steps",
      "zero_steps",
      "negative_steps",
    ],
    gainsByTrajectory(rows).map(({ trajectoryId, steps, gains, mean }) => [
      trajectoryId,
      steps,
      gains.length,
      floatCell(mean),
      ...signs(gains),
    ]),
  );
}

/** `tables/step_type_summary.csv`: step types ascending, `_` written as `-`; an empty file without gains. */
export function stepTypeTable(rows: readonly AsvEvalRow[]): string {
  const groups = groupBy(
    rows.filter((row) => row.gold_metrics.gold_margin_gain !== null),
    stepTypeOf,
  );
  if (groups.length === 0) return "";
  return csvTable(
    ["step_type", "n", "mean", "sd", "median", "min", "max", "pos", "zero", "neg"],
    groups.map(([type, members]) => {
      const gains = gainsOf(members).sort((a, b) => a - b);
      return [
        type,
        gains.length,
        new PythonFloat(mean6(gains)),
        gains.length > 1 ? new PythonFloat(round6(deviation(gains))) : null,
        new PythonFloat(round6(quantile(gains, 0.5))),
        new PythonFloat(gains[0]!),
        new PythonFloat(gains.at(-1)!),
        ...signs(gains),
      ];
    }),
  );
}

function gainsOf(rows: readonly AsvEvalRow[]): number[] {
  return rows.flatMap(({ gold_metrics: { gold_margin_gain: gain } }) => (gain === null ? [] : [gain]));
}

/** Zero is equality with 0 here: the gains are already rounded to 6 decimals. */
function signs(gains: readonly number[]): [number, number, number] {
  const count = (test: (gain: number) => boolean) => gains.filter(test).length;
  return [count((gain) => gain > 0), count((gain) => gain === 0), count((gain) => gain < 0)];
}

function stepTypeOf({ action }: AsvEvalRow): string {
  const type = Object.hasOwn(action, "type") ? action.type : undefined;
  const name = typeof type === "string" || typeof type === "number" ? String(type) : "";
  return (name === "" ? "unknown" : name).replaceAll("_", "-");
}

function deviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}

function groupBy(rows: readonly AsvEvalRow[], keyOf: (row: AsvEvalRow) => string): [string, AsvEvalRow[]][] {
  const groups = new Map<string, AsvEvalRow[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return [...groups].sort(([a], [b]) => compareCodePoints(a, b));
}

function floatCell(value: number | null): CsvCell {
  return value === null ? null : new PythonFloat(value);
}
