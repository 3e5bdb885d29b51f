import { RANDOM_NAME } from "../math/index.ts";
import type { JsonValue } from "../schema/index.ts";
import { adjustTests } from "../summarize/adjusted-tests.ts";
import { estimates, type TestedEstimate } from "../summarize/estimates.ts";
import { FEW_TRAJECTORIES, INTERVAL_LEVEL, MIN_TRAJECTORIES } from "../summarize/index.ts";
import { rowsByNumber } from "../summarize/rows-by-number.ts";
import { STEP } from "../summarize/step-columns.ts";
import {
  COMPARISON_SCHEMA,
  type BootstrapSettings,
  type ChannelComparison,
  type ChannelSide,
  type ComparisonWarning,
  type PairCoverage,
  type PairedStep,
  type ProtocolFieldDifference,
  type StepTypeEffect,
} from "./channel-comparison.ts";
import { planEffect, SIGNED, type EffectPlan } from "./channel-effect.ts";
import { changedElements, diffSettings } from "./diff-settings.ts";
import { pairRows, type PairTable } from "./pair-columns.ts";

/** What a comparer has gathered. */
export interface GatheredPairs {
  settings: {
    resamples: number;
    seed: number;
    zeroTolerance: number;
    groups: readonly { group: string; actions: readonly string[] }[];
  };
  a: { side: ChannelSide; protocol: JsonValue | undefined };
  b: { side: ChannelSide; protocol: JsonValue | undefined };
  table: PairTable;
  /** Trajectories with a pair. */
  units: number;
  actions: readonly string[];
  coverage: PairCoverage;
  largest: PairedStep[];
}

/** Turns gathered pairs into the comparison: every interval but the sides' own comes from one set of resamples. */
export function finishComparison(gathered: GatheredPairs): ChannelComparison {
  const { table, units, actions, settings, a, b } = gathered;
  const plan = (rows: Uint32Array) => planEffect(table, rows, units, settings.zeroTolerance);
  const all = plan(pairRows(table, () => true));
  const isClean = (row: number) => ((table.bitsA[row]! | table.bitsB[row]!) & STEP.doubtful) === 0;
  const cleanRows = pairRows(table, isClean);
  const clean = cleanRows.length === all.rows.length ? all : plan(cleanRows);
  const types = rowsByNumber(table.action, table.length, actions.length).map(plan);
  const groups = settings.groups.map(({ actions: members }) =>
    plan(pairRows(table, (row) => members.includes(actions[table.action[row]!]!))),
  );
  const found = estimateAll([all, clean, ...types, ...groups], { units, ...settings });
  const effects = found.map(({ effect }) => effect);
  const tests = adjustTests(found.slice(2, 2 + types.length).map(({ pValue }) => pValue));
  const stepTypes = actions.map((action, i): StepTypeEffect => {
    const test = tests.tests[i];
    return { action, ...effects[2 + i]!, ...(test === undefined ? {} : { test }) };
  });
  const differences =
    a.protocol === undefined || b.protocol === undefined ? undefined : diffSettings(a.protocol, b.protocol);
  const comparison: Omit<ChannelComparison, "warnings"> = {
    schemaVersion: COMPARISON_SCHEMA,
    a: a.side,
    b: b.side,
    ...(differences === undefined ? {} : { differences, changedElements: changedElements(differences) }),
    zeroTolerance: settings.zeroTolerance,
    bootstrap: bootstrapSettings(settings),
    coverage: gathered.coverage,
    all: effects[0]!,
    clean: { ...effects[1]!, excludedPairs: all.rows.length - clean.rows.length },
    stepTypes: stepTypes.sort(byMeanOfA),
    stepTypeTests: tests.family,
    ...(groups.length === 0
      ? {}
      : {
          groups: settings.groups.map(({ group, actions: members }, i) => ({
            group,
            actions: [...members],
            ...effects[2 + types.length + i]!,
          })),
        }),
    largest: gathered.largest,
  };
  return { ...comparison, warnings: warningsOf(comparison, differences) };
}

/** The effect of every plan and the p-value of its signed effect, from one set of resamples. */
function estimateAll(
  plans: readonly EffectPlan[],
  options: { units: number; resamples: number; seed: number },
) {
  const found = estimates(
    plans.flatMap(({ requests }) => requests),
    options,
  );
  let at = 0;
  return plans.map((plan) => {
    const own: TestedEstimate[] = found.slice(at, (at += plan.requests.length));
    return { effect: plan.effect(own.map(({ estimate }) => estimate)), pValue: own[SIGNED]!.pValue };
  });
}

/** How the intervals of a result were made. */
export function bootstrapSettings({
  resamples,
  seed,
}: {
  resamples: number;
  seed: number;
}): BootstrapSettings {
  return {
    unit: "trajectory",
    method: "percentile",
    quantile: "type 7",
    level: INTERVAL_LEVEL,
    resamples,
    seed,
    random: RANDOM_NAME,
  };
}

/** Figure 2's order: a's mean, most negative first; equal ones by name. */
function byMeanOfA(x: StepTypeEffect, y: StepTypeEffect): number {
  const difference = x.a.mean! - y.a.mean!;
  return difference !== 0 ? difference : x.action < y.action ? -1 : 1;
}

function warningsOf(
  { a, b, coverage, all, changedElements: changed }: Omit<ChannelComparison, "warnings">,
  differences: readonly ProtocolFieldDifference[] | undefined,
): ComparisonWarning[] {
  const warnings: ComparisonWarning[] = [];
  if (coverage.transitions === 0) warnings.push("no_steps");
  else if (coverage.paired === 0) warnings.push("no_pairs");
  else if (all.trajectories < MIN_TRAJECTORIES) warnings.push("too_few_trajectories");
  else if (all.trajectories < FEW_TRAJECTORIES) warnings.push("few_trajectories");
  if (coverage.paired > 0 && all.signDisagreement.bothMoved === 0) warnings.push("no_paired_moves");
  if (coverage.paired + coverage.withoutGainInBoth < coverage.transitions - coverage.mismatched) {
    warnings.push("unequal_coverage");
  }
  if (coverage.mismatched > 0) warnings.push("mismatched_transitions");
  if (coverage.unverified > 0) warnings.push("unverified_transitions");
  if (a.protocolIds.length > 1 || b.protocolIds.length > 1) warnings.push("several_protocols");
  if (differences === undefined) warnings.push("protocol_unknown");
  else if (differences.length === 0) warnings.push("same_protocol");
  else if (changed!.length > 1) warnings.push("several_elements_differ");
  return warnings;
}
