import type { ByCandidate, JsonObject } from "../../schema/index.ts";
import { PythonFloat } from "./python-float.ts";
import { pythonJson, type PythonJson } from "./python-json.ts";
import type { AsvEvalRow } from "./step-row.ts";

/** Numbers of a row that the toolkit holds as ints; every other number of its own is a float. */
const INTEGERS = new Set(["num_candidates", "gold_rank_before", "gold_rank_after"]);
/** Floats among the quality flags, whose other values are the evaluator's own. */
const FLOAT_FLAGS = new Set([
  "floor_score",
  "rationale_candidate_coverage_before",
  "rationale_candidate_coverage_after",
]);

/** A row as one line of `steps.jsonl`, byte for byte as the toolkit writes it, without its line feed. */
export function encodeRow(row: AsvEvalRow): string {
  return pythonJson({
    ...row,
    belief_before: asFloats(row.belief_before),
    belief_after: asFloats(row.belief_after),
    raw_scores_before: row.raw_scores_before === null ? null : asFloats(row.raw_scores_before),
    raw_scores_after: row.raw_scores_after === null ? null : asFloats(row.raw_scores_after),
    asv_components: markFloats({ ...row.asv_components }, (key) => !INTEGERS.has(key)),
    gold_metrics: markFloats({ ...row.gold_metrics }, (key) => !INTEGERS.has(key)),
    quality_flags: markFloats(row.quality_flags, (key) => FLOAT_FLAGS.has(key)),
  });
}

/** The two lines of `states.jsonl` that belong to a row. */
export function encodeStateRows(row: AsvEvalRow): [string, string] {
  const side = (position: "before" | "after") =>
    pythonJson({
      trajectory_id: row.trajectory_id,
      step_id: row.step_id,
      state_id: row[`state_${position}_id`],
      position,
      state_hash: row[`state_${position}_hash`],
      belief: asFloats(row[`belief_${position}`]),
    });
  return [side("before"), side("after")];
}

/** An object with the numbers of the chosen keys marked as Python floats. */
export function markFloats(object: JsonObject, isFloat: (key: string) => boolean): PythonJson {
  const entries = Object.entries(object).map(([key, value]): [string, PythonJson] => [
    key,
    typeof value === "number" && isFloat(key) ? new PythonFloat(value) : value,
  ]);
  return Object.fromEntries(entries);
}

function asFloats(values: ByCandidate): PythonJson {
  return markFloats(values, () => true);
}
