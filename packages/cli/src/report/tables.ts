import {
  trajectorySummary,
  type DiagnosedStep,
  type StepTypeSummary,
  type TrajectorySummary,
} from "@agent-step-value/sdk";
import type { CsvColumn } from "./csv.ts";

/** Columns of `tables/steps.csv`: one row a step. */
export const stepColumns: readonly CsvColumn<DiagnosedStep>[] = [
  { name: "trajectory_id", cell: (step) => step.trajectoryId },
  { name: "step_id", cell: (step) => step.stepId },
  { name: "index", cell: (step) => step.index },
  { name: "action", cell: (step) => step.action },
  { name: "protocol_id", cell: (step) => step.protocolId },
  { name: "entropy_movement", cell: (step) => step.diagnostics?.entropyMovement },
  { name: "surprise", cell: (step) => step.diagnostics?.surprise },
  { name: "margin_before", cell: (step) => step.diagnostics?.marginBefore },
  { name: "margin_after", cell: (step) => step.diagnostics?.marginAfter },
  { name: "margin_gain", cell: (step) => step.diagnostics?.marginGain },
  { name: "damage", cell: (step) => step.diagnostics?.damage },
  { name: "repair", cell: (step) => step.diagnostics?.repair },
  { name: "layout_spread", cell: (step) => step.diagnostics?.layoutSpread },
  { name: "floor_low", cell: (step) => step.diagnostics?.floorInterval?.low },
  { name: "floor_high", cell: (step) => step.diagnostics?.floorInterval?.high },
  { name: "flags", cell: (step) => step.flags.join(" ") },
  { name: "label", cell: (step) => step.label },
];

/** Columns of `tables/step_types.csv`: one row a step type. */
export const stepTypeColumns: readonly CsvColumn<StepTypeSummary>[] = [
  { name: "action", cell: (type) => type.action },
  { name: "all_steps", cell: (type) => type.allSteps },
  { name: "measured", cell: (type) => type.measured },
  { name: "steps_with_gain", cell: (type) => type.steps },
  { name: "trajectories", cell: (type) => type.trajectories },
  { name: "mean_margin_gain", cell: (type) => type.mean },
  { name: "ci_low", cell: (type) => type.interval?.low },
  { name: "ci_high", cell: (type) => type.interval?.high },
  { name: "ci_absent", cell: (type) => type.intervalAbsent },
  { name: "median", cell: (type) => type.median },
  { name: "min", cell: (type) => type.min },
  { name: "max", cell: (type) => type.max },
  { name: "standard_deviation", cell: (type) => type.standardDeviation },
  { name: "mean_surprise", cell: (type) => type.meanSurprise },
  { name: "positive", cell: (type) => type.positive },
  { name: "zero", cell: (type) => type.zero },
  { name: "negative", cell: (type) => type.negative },
  { name: "damage", cell: (type) => type.damage.count },
  { name: "damage_rate", cell: (type) => type.damage.rate },
  { name: "damage_rate_of_eligible", cell: (type) => type.damage.rateOfEligible },
  { name: "repair", cell: (type) => type.repair.count },
  { name: "repair_rate", cell: (type) => type.repair.rate },
  { name: "repair_rate_of_eligible", cell: (type) => type.repair.rateOfEligible },
];

/** What one trajectory comes to, and whether its run closed. */
export interface TrajectoryRow extends TrajectorySummary {
  status: string | undefined;
}

/** Columns of `tables/trajectories.csv`: one row a trajectory. */
export const trajectoryColumns: readonly CsvColumn<TrajectoryRow>[] = [
  { name: "trajectory_id", cell: (row) => row.trajectoryId },
  { name: "status", cell: (row) => row.status },
  { name: "steps", cell: (row) => row.steps },
  { name: "measured", cell: (row) => row.measured },
  { name: "mean_margin_gain", cell: (row) => row.meanMarginGain },
  { name: "margin_first", cell: (row) => row.marginFirst },
  { name: "margin_last", cell: (row) => row.marginLast },
  { name: "max_surprise", cell: (row) => row.maxSurprise },
  { name: "damage", cell: (row) => row.damage },
  { name: "repair", cell: (row) => row.repair },
];

/** The row of one trajectory's steps. */
export function trajectoryRow(
  trajectoryId: string,
  status: string | undefined,
  steps: readonly DiagnosedStep[],
): TrajectoryRow {
  return { ...trajectorySummary(trajectoryId, steps), status };
}
