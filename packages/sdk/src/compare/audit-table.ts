import { estimates } from "../summarize/estimates.ts";
import type { AuditSample, AuditTable } from "./attribution-audit.ts";
import { auditAxes } from "./audit-axes.ts";
import type { IndexedChannel } from "./audit-channel.ts";
import { planAuditRow, type RowPlan } from "./audit-row.ts";
import { drawSample, type AuditCandidate } from "./audit-sample.ts";
import type { ProtocolFieldDifference } from "./channel-comparison.ts";
import { diffSettings } from "./diff-settings.ts";

export interface TableSettings {
  size: number;
  perTrajectory: number;
  sampleSeed: number;
  resamples: number;
  seed: number;
  zeroTolerance: number;
}

/** All channels over one sample, and how many of their pairs rest on ids alone. */
export function auditTable(
  sample: AuditSample,
  population: readonly AuditCandidate[],
  channels: readonly IndexedChannel[],
  baseline: IndexedChannel,
  settings: TableSettings,
): { table: AuditTable; unverified: number } {
  const { chosen, beyondPerTrajectory } = drawSample(population, sample, settings);
  const steps = chosen.map((candidate) => candidate.baseline);
  const unitOf = new Map<string, number>();
  for (const { trajectoryId } of steps) if (!unitOf.has(trajectoryId)) unitOf.set(trajectoryId, unitOf.size);
  const plans = channels.map((one) =>
    planAuditRow(
      headOf(one, baseline),
      steps,
      ({ trajectoryId, stepId }) => one.steps.get(trajectoryId)?.get(stepId),
      { unitOf, zeroTolerance: settings.zeroTolerance },
    ),
  );
  return {
    unverified: plans.reduce((sum, plan) => sum + plan.unverified, 0),
    table: {
      sample,
      selectedOnOutcome: sample === "largest_gap",
      population: population.length,
      ...(sample === "clean" ? {} : { requested: settings.size }),
      selected: chosen.length,
      ...(sample === "largest_gap" ? { perTrajectory: settings.perTrajectory, beyondPerTrajectory } : {}),
      steps: chosen.map(({ baseline: { trajectoryId, stepId, action }, gap }) => ({
        trajectoryId,
        stepId,
        action,
        gap,
      })),
      rows: estimateRows(plans, { units: unitOf.size, ...settings }),
    },
  };
}

/** All rows of a table from one set of resamples, so that they can be held against each other. */
function estimateRows(
  plans: readonly RowPlan[],
  options: { units: number; resamples: number; seed: number },
) {
  const found = estimates(
    plans.flatMap(({ requests }) => requests),
    options,
  ).map(({ estimate }) => estimate);
  let at = 0;
  return plans.map((plan) => plan.row(found.slice(at, (at += plan.requests.length))));
}

function headOf(one: IndexedChannel, baseline: IndexedChannel) {
  const { name, protocolId, protocol, axes } = one.channel;
  const against = baseline.channel.protocol;
  let differences: ProtocolFieldDifference[] | undefined;
  if (protocol !== undefined && against !== undefined) differences = diffSettings(protocol, against);
  return {
    channel: name,
    ...(protocolId === undefined ? {} : { protocolId }),
    ...(axes ?? auditAxes(protocol)),
    isBaseline: one === baseline,
    ...(differences === undefined ? {} : { differences }),
  };
}
