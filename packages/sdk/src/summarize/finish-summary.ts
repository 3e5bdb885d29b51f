import type { QualityFlag } from "../schema/index.ts";
import { estimates } from "./estimates.ts";
import { gainsOf, gainUnits, trajectoryMeans, type GainUnits } from "./gain-columns.ts";
import { humanLabels } from "./human-labels.ts";
import { labelledTrajectories } from "./labelled-trajectories.ts";
import { leaveOneOut } from "./leave-one-out.ts";
import type { RatioColumn } from "./resample-ratios.ts";
import { rowsWhere, STEP, type StepTable } from "./step-columns.ts";
import { crossings, signCounts } from "./step-counts.ts";
import { groupStepTypes, type ActionGroup } from "./step-types.ts";
import {
  SUMMARY_SCHEMA,
  type ExtremeStep,
  type Summary,
  type SummaryWarning,
  type TemperatureSummary,
  type VariantSummary,
} from "./summary.ts";
import { FEW_RESAMPLES, FEW_TRAJECTORIES, INTERVAL_LEVEL, MIN_TRAJECTORIES } from "./trajectory-bootstrap.ts";

/** What a summarizer has gathered. */
export interface Gathered {
  settings: {
    resamples: number;
    seed: number;
    zeroTolerance: number;
    random: string;
    groups: readonly ActionGroup[];
  };
  table: StepTable;
  trajectoryIds: readonly string[];
  actions: readonly string[];
  protocolIds: string[];
  evaluatorKinds: string[];
  partialTrajectories: number;
  filteredOut: number;
  flagCounts: ReadonlyMap<QualityFlag, number>;
  surprise: { sum: number; max: number };
  entropyMovement: { sum: number; moved: number };
  layoutSpread: Summary["layoutSpread"];
  temperatures: TemperatureSummary[] | undefined;
  surprises: Summary["surprises"];
  pivots: Summary["pivots"];
  floors: Summary["floors"];
  worst: ExtremeStep[];
  best: ExtremeStep[];
}

/** Turns what was gathered into the summary: every interval comes from one set of resamples. */
export function finishSummary(gathered: Gathered): Summary {
  const { table, settings } = gathered;
  const units = gainUnits(table, gathered.trajectoryIds.length);
  const rows = rowsWhere(table, () => true);
  const whole = units.column(rows);
  const variants = variantRows(table, gathered.trajectoryIds.length).map((variant) => ({
    ...variant,
    column: units.column(variant.rows),
  }));
  const types = groupStepTypes(table, gathered.actions, units, settings);
  const request = (column: RatioColumn, chosen: Iterable<number>) => ({
    column,
    values: gainsOf(table, chosen),
  });
  const [overallTested, weightedTested, ...rest] = estimates(
    [
      request(whole, rows),
      { column: trajectoryMeans(whole) },
      ...variants.map((variant) => request(variant.column, variant.rows)),
      ...types.requests,
    ],
    { units: units.size, resamples: settings.resamples, seed: settings.seed },
  );
  const overall = overallTested!.estimate;
  const { mean, interval, intervalAbsent } = weightedTested!.estimate;
  const ofVariants = rest.slice(0, variants.length);
  const byType = types.finish(rest.slice(variants.length));
  const left = leaveOneOut(whole.sums, whole.counts, idsOf(units, gathered.trajectoryIds));
  const labelled = labelledTrajectories(table, gathered.trajectoryIds.length);
  const labels = humanLabels(labelled.single, {
    severalLabels: labelled.several,
    tolerance: settings.zeroTolerance,
    seed: settings.seed,
  });
  const counts = countSteps(gathered, overall.steps);
  return {
    schemaVersion: SUMMARY_SCHEMA,
    counts,
    protocolIds: gathered.protocolIds,
    evaluatorKinds: gathered.evaluatorKinds,
    zeroTolerance: settings.zeroTolerance,
    bootstrap: {
      unit: "trajectory",
      method: "percentile",
      quantile: "type 7",
      level: INTERVAL_LEVEL,
      resamples: settings.resamples,
      seed: settings.seed,
      random: settings.random,
    },
    ...(counts.measured === 0 ? {} : movement(gathered, counts.measured)),
    marginGain: {
      ...overall,
      trajectoryWeighted: {
        ...(mean === undefined ? {} : { mean }),
        ...(interval === undefined ? {} : { interval }),
        ...(intervalAbsent === undefined ? {} : { intervalAbsent }),
      },
      ...(left === undefined ? {} : { leaveOneOut: left }),
      ...signCounts(table, rows, settings.zeroTolerance),
      ...crossings(table, rows, units),
    },
    variants: variants.map(({ name }, i) => ({
      name,
      excludedSteps: overall.steps - ofVariants[i]!.estimate.steps,
      ...ofVariants[i]!.estimate,
    })),
    stepTypes: byType.stepTypes,
    stepTypeTests: byType.stepTypeTests,
    ...(gathered.layoutSpread === undefined ? {} : { layoutSpread: gathered.layoutSpread }),
    ...(gathered.temperatures === undefined ? {} : { temperatures: gathered.temperatures }),
    ...(gathered.surprises === undefined ? {} : { surprises: gathered.surprises }),
    ...(gathered.pivots === undefined ? {} : { pivots: gathered.pivots }),
    ...(gathered.floors === undefined ? {} : { floors: gathered.floors }),
    ...(settings.groups.length === 0 ? {} : { stepGroups: byType.stepGroups }),
    flags: Object.fromEntries([...gathered.flagCounts].sort(([a], [b]) => (a < b ? -1 : 1))),
    worst: gathered.worst,
    best: gathered.best,
    ...(labels === undefined ? {} : { humanLabels: labels }),
    warnings: warningsOf(gathered, counts, units.size),
  };
}

function movement(gathered: Gathered, measured: number): Pick<Summary, "surprise" | "entropyMovement"> {
  const { surprise, entropyMovement } = gathered;
  return {
    surprise: { mean: surprise.sum / measured, max: surprise.max },
    entropyMovement: { mean: entropyMovement.sum / measured, moved: entropyMovement.moved },
  };
}

function countSteps(gathered: Gathered, withMargin: number): Summary["counts"] {
  const { table } = gathered;
  let measured = 0;
  for (let row = 0; row < table.length; row++) if (table.bits[row]! & STEP.measured) measured++;
  return {
    trajectories: gathered.trajectoryIds.length,
    steps: table.length,
    measured,
    unscored: table.length - measured,
    withMargin,
    partialTrajectories: gathered.partialTrajectories,
    states: 2 * measured,
    filteredOut: gathered.filteredOut,
  };
}

/** The paper's robustness rows. A leak anywhere in a trajectory takes the whole trajectory out. */
function variantRows(
  table: StepTable,
  trajectoryCount: number,
): { name: VariantSummary["name"]; rows: Iterable<number> }[] {
  const leaky = new Uint8Array(trajectoryCount);
  for (let row = 0; row < table.length; row++) {
    if (table.bits[row]! & STEP.leaked) leaky[table.trajectory[row]!] = 1;
  }
  const without = (bit: number) => rowsWhere(table, (row) => (table.bits[row]! & bit) === 0);
  return [
    { name: "no_floor_steps", rows: without(STEP.floored) },
    { name: "no_leak_trajectories", rows: rowsWhere(table, (row) => leaky[table.trajectory[row]!] === 0) },
    { name: "clean", rows: without(STEP.doubtful) },
  ];
}

function idsOf(units: GainUnits, trajectoryIds: readonly string[]): string[] {
  return Array.from(units.trajectories, (trajectory) => trajectoryIds[trajectory]!);
}

function warningsOf(gathered: Gathered, counts: Summary["counts"], units: number): SummaryWarning[] {
  const warnings: SummaryWarning[] = [];
  if (counts.steps === 0) warnings.push("no_steps");
  else if (counts.measured === 0) warnings.push("no_measured_steps");
  else if (counts.withMargin === 0) warnings.push("no_margins");
  else if (units < MIN_TRAJECTORIES) warnings.push("too_few_trajectories");
  else if (units < FEW_TRAJECTORIES) warnings.push("few_trajectories");
  const { resamples } = gathered.settings;
  const isCoarse = units >= MIN_TRAJECTORIES && resamples > 0 && resamples < FEW_RESAMPLES;
  if (isCoarse) warnings.push("few_resamples");
  if (gathered.protocolIds.length > 1) warnings.push("several_protocols");
  if (gathered.evaluatorKinds.length > 1) warnings.push("several_evaluators");
  return warnings;
}
