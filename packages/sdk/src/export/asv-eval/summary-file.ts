import type { JsonObject, Trajectory } from "../../schema/index.ts";
import { markFloats } from "./encode-rows.ts";
import { compareCodePoints, pythonJson } from "./python-json.ts";
import { round6 } from "./python-round.ts";
import { mean6 } from "./rounded-mean.ts";
import type { AsvEvalRow } from "./step-row.ts";
import { trajectoryBootstrapRow, type TrajectoryBootstrapRow } from "./trajectory-bootstrap-row.ts";

/** The Python toolkit's `summary.json`. */
export interface AsvEvalSummary {
  trajectory_count: number;
  step_count: number;
  source_adapters: string[];
  mean_realized_entropy_reduction: number;
  mean_net_asv: number;
  mean_bayesian_surprise_kl: number;
  max_bayesian_surprise_kl: number;
  mean_js_pivot_score: number;
  mean_gold_margin_gain: number | null;
  mean_semantic_gold_gain: number | null;
  mean_cost_scalar: number;
  positive_net_asv_steps: number;
  negative_net_asv_steps: number;
  zero_net_asv_steps: number;
  evaluator: JsonObject;
  evaluator_coverage: {
    evaluated_state_count: number;
    cache_hit_state_count: number;
    cache_hit_step_count: number;
    floor_score_step_count: number;
    fallback_step_count: number;
    missing_label_step_count: number;
  };
  trajectory_bootstrap: TrajectoryBootstrapRow;
}

export interface AsvEvalSummaryOptions {
  /** Written as it is. Default says that beliefs were provided. */
  evaluator?: JsonObject;
  /** Default 5000, as the toolkit's. */
  resamples?: number;
  /** Default 7. */
  seed?: number;
}

/** Aggregates of all rows, names and rounding as the toolkit has them; means of nothing are 0, as there. */
export function asvEvalSummary(
  trajectories: readonly Pick<Trajectory, "sourceAdapter">[],
  rows: readonly AsvEvalRow[],
  options: AsvEvalSummaryOptions = {},
): AsvEvalSummary {
  const { evaluator = { mode: "provided-belief" }, ...bootstrap } = options;
  const component = (
    name:
      "realized_entropy_reduction" | "net_asv" | "bayesian_surprise_kl" | "js_pivot_score" | "cost_scalar",
  ) => rows.map(({ asv_components }) => asv_components[name]);
  const gold = (name: "gold_margin_gain" | "semantic_gold_gain") => {
    const values = rows.flatMap(({ gold_metrics }) => gold_metrics[name] ?? []);
    return values.length === 0 ? null : mean6(values);
  };
  const net = component("net_asv");
  const surprises = component("bayesian_surprise_kl");
  return {
    trajectory_count: trajectories.length,
    step_count: rows.length,
    source_adapters: [...new Set(trajectories.map(({ sourceAdapter }) => sourceAdapter))].sort(
      compareCodePoints,
    ),
    mean_realized_entropy_reduction: mean6(component("realized_entropy_reduction")),
    mean_net_asv: mean6(net),
    mean_bayesian_surprise_kl: mean6(surprises),
    max_bayesian_surprise_kl: round6(surprises.reduce((max, value) => Math.max(max, value), 0)),
    mean_js_pivot_score: mean6(component("js_pivot_score")),
    mean_gold_margin_gain: gold("gold_margin_gain"),
    mean_semantic_gold_gain: gold("semantic_gold_gain"),
    mean_cost_scalar: mean6(component("cost_scalar")),
    positive_net_asv_steps: net.filter((value) => value > 0).length,
    negative_net_asv_steps: net.filter((value) => value < 0).length,
    zero_net_asv_steps: net.filter((value) => value === 0).length,
    evaluator,
    evaluator_coverage: coverage(rows),
    trajectory_bootstrap: trajectoryBootstrapRow(rows, bootstrap),
  };
}

/** `summary.json` as a file: two spaces a level, a line feed at its end. */
export function encodeAsvEvalSummary(summary: AsvEvalSummary): string {
  const isCount = (key: string) => /_count$|_steps$|^(resamples|seed)$/.test(key);
  const isFloat = (key: string) => !isCount(key);
  const file = {
    ...(markFloats({ ...summary } as unknown as JsonObject, isFloat) as Record<string, never>),
    evaluator: markFloats(summary.evaluator, (key) => key === "floor_score" || key === "temperature"),
    trajectory_bootstrap: markFloats({ ...summary.trajectory_bootstrap } as JsonObject, isFloat),
  };
  return `${pythonJson(file, 2)}\n`;
}

function coverage(rows: readonly AsvEvalRow[]): AsvEvalSummary["evaluator_coverage"] {
  const count = (test: (flags: JsonObject) => boolean) =>
    rows.filter((row) => test(row.quality_flags)).length;
  const cachedStates = rows.map(({ quality_flags: flags }) => {
    if (!("before_used_cache" in flags) && !("after_used_cache" in flags))
      return flags.used_cache === true ? 2 : 0;
    return Number(flags.before_used_cache === true) + Number(flags.after_used_cache === true);
  });
  return {
    evaluated_state_count: 2 * rows.length,
    cache_hit_state_count: cachedStates.reduce((sum, states) => sum + states, 0),
    cache_hit_step_count: count((flags) => flags.used_cache === true),
    floor_score_step_count: count((flags) => flags.used_floor_score === true),
    fallback_step_count: count((flags) => flags.used_fallback === true),
    missing_label_step_count: count(
      ({ missing_labels: missing }) => Array.isArray(missing) && missing.length > 0,
    ),
  };
}
