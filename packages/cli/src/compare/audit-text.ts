import type {
  AttributionAudit,
  AuditRow,
  AuditSample,
  AuditTable,
  AuditWarning,
} from "@agent-step-value/sdk";
import { interval, percent, plain, signed } from "../terminal/number.ts";
import { printable, renderTable, type Column } from "../terminal/table.ts";
import { resamplingCautions } from "./few-resamples.ts";
import { SAME_MEASUREMENT, sameAsBaseline } from "./same-measurement.ts";

const warnings: Readonly<Record<AuditWarning, string>> = {
  no_clean_transitions: "no transition is clean in both the baseline and the contrast; the tables are empty",
  fewer_than_requested: "a sample holds fewer transitions than were asked for",
  selected_on_outcome:
    "the largest gaps were selected by the very difference the table shows: they say where the channels part, " +
    "not how far they part in general; the random sample does",
  unequal_coverage: "rows do not cover the same transitions",
  missing_channels: "channels of the audit are missing",
  mismatched_transitions: "steps of the same ids are not the same transition; they are left out",
  unverified_transitions: "steps without state digests are paired by their ids alone",
  too_few_trajectories: "a sample comes from fewer than 5 trajectories: no interval is given",
  few_trajectories: "a sample comes from fewer than 20 trajectories: intervals are too narrow",
  no_paired_moves: "in some row no step moved in both channels: there is no rate of sign disagreement",
  several_elements_differ:
    "some rows differ from the baseline in more than one element: their gap belongs to none of them alone",
};

const titles: Readonly<Record<AuditSample, string>> = {
  clean: "all clean transitions",
  largest_gap: "the largest gaps among clean transitions",
  random: "a random sample of clean transitions",
};

const columns: readonly Column<AuditRow>[] = [
  { title: "slice", cell: (row) => row.slice },
  { title: "buffer", cell: (row) => row.buffer },
  { title: "channel", cell: (row) => row.channel },
  { title: "n", align: "right", cell: (row) => String(row.steps) },
  { title: "mean gain", align: "right", cell: (row) => signed(row.marginGain.mean) },
  { title: "95 % interval", cell: (row) => interval(row.marginGain.interval) },
  { title: "gap", align: "right", cell: (row) => (row.isBaseline ? "–" : signed(row.gap.mean)) },
  { title: "|gap|", align: "right", cell: (row) => (row.isBaseline ? "–" : plain(row.absoluteGap.mean)) },
  {
    title: "flip",
    align: "right",
    cell: ({ isBaseline, flip }) => (isBaseline ? "–" : `${percent(flip.rate.mean)} of ${flip.bothMoved}`),
  },
  { title: "damage", align: "right", cell: (row) => rates(row.damage) },
  { title: "repair", align: "right", cell: (row) => rates(row.repair) },
];

/** Over all steps, and over those that could be damaged or repaired. */
function rates({ rate, rateOfEligible }: AuditRow["damage"]): string {
  return `${percent(rate)} (${percent(rateOfEligible)})`;
}

/** Whether the rows' intervals come from enough resamples. */
export function auditResamplingCautions({ bootstrap, tables }: AttributionAudit): string[] {
  const rows = tables.flatMap((table) => table.rows);
  return resamplingCautions(
    bootstrap,
    rows.some(({ gap }) => gap.interval !== undefined),
  );
}

/** What is to be watched out for in an audit, as sentences. */
export function auditCautions(audit: AttributionAudit): string[] {
  const found = audit.warnings.map((warning) =>
    warning === "missing_channels"
      ? `${warnings[warning]}: ${audit.missingChannels.map((name) => printable(name)).join(", ")}`
      : warnings[warning],
  );
  const same = sameAsBaseline(audit).map(
    (name) => `${printable(name)} and ${printable(audit.baseline)}: ${SAME_MEASUREMENT}`,
  );
  return [...found, ...auditResamplingCautions(audit), ...same];
}

/** The audit as a person reads it in a terminal. Rounded; the files are not. */
export function auditText(audit: AttributionAudit): string {
  const { baseline, contrast, excluded, tables, bootstrap } = audit;
  const lines = [
    `attribution audit: gaps to ${printable(baseline)}; samples drawn by the gap of ${printable(contrast)}`,
    ...auditCautions(audit).map((caution) => `caution: ${caution}`),
  ];
  const left = Object.entries({
    "without a gain in one or both": excluded.notPaired,
    "another transition": excluded.mismatched,
    unclean: excluded.unclean,
  }).filter(([, count]) => count > 0);
  if (left.length > 0) {
    lines.push(`  not drawn from: ${left.map(([name, count]) => `${name} ${count}`).join(", ")}`);
  }
  for (const table of tables) lines.push("", heading(table), renderTable(columns, table.rows));
  lines.push(
    "",
    "damage and repair: of all steps, and in parentheses of the steps where it could happen; " +
      `intervals: 95 %, ${bootstrap.resamples} resamples of whole trajectories, seed ${bootstrap.seed}`,
  );
  return `${lines.join("\n")}\n`;
}

function heading({ sample, selected, population, perTrajectory, beyondPerTrajectory }: AuditTable): string {
  const cap = perTrajectory === undefined ? "" : `, at most ${perTrajectory} a trajectory`;
  const beyond = (beyondPerTrajectory ?? 0) > 0 ? ` and ${beyondPerTrajectory} beyond that` : "";
  return `${titles[sample]}: ${selected} of ${population}${cap}${beyond}`;
}
