import type { ExtremeStep, StepTypeSummary, Summary } from "@agent-step-value/sdk";
import { interval, percent, plain, signed } from "../terminal/number.ts";
import { printable, renderTable, type Column } from "../terminal/table.ts";
import { humanLabelText } from "./human-label-text.ts";

const warnings: Readonly<Record<Summary["warnings"][number], string>> = {
  no_steps: "there is no step",
  no_measured_steps: "no step could be measured",
  no_margins: "no step has a margin, which needs a reviewed target and log scores",
  too_few_trajectories: "fewer than 5 trajectories: no interval is given",
  few_trajectories: "fewer than 20 trajectories: intervals are too narrow",
  few_resamples: "fewer than 200 resamples: the ends of the intervals are coarse",
  several_protocols: "steps of several protocols are mixed",
  several_evaluators: "steps of several evaluators are mixed",
};

const typeColumns: readonly Column<StepTypeSummary>[] = [
  { title: "step type", cell: (type) => type.action },
  { title: "steps", align: "right", cell: (type) => String(type.allSteps) },
  { title: "mean gain", align: "right", cell: (type) => signed(type.mean) },
  { title: "95 % interval", cell: (type) => interval(type.interval) },
  { title: "median", align: "right", cell: (type) => signed(type.median) },
  { title: "+/0/-", align: "right", cell: (type) => `${type.positive}/${type.zero}/${type.negative}` },
  {
    title: "damage",
    align: "right",
    cell: (type) => `${type.damage.count} (${percent(type.damage.rateOfEligible)})`,
  },
  {
    title: "repair",
    align: "right",
    cell: (type) => `${type.repair.count} (${percent(type.repair.rateOfEligible)})`,
  },
  { title: "surprise", align: "right", cell: (type) => plain(type.meanSurprise) },
];

const stepColumns: readonly Column<ExtremeStep>[] = [
  { title: "gain", align: "right", cell: (step) => signed(step.marginGain) },
  { title: "step type", cell: (step) => step.action },
  { title: "trajectory", cell: (step) => step.trajectoryId },
  { title: "step", cell: (step) => step.stepId },
  { title: "surprise", align: "right", cell: (step) => plain(step.surprise) },
  { title: "flags", cell: (step) => step.flags.join(" ") },
];

/** More step types than this are no table to read. */
const TYPES_SHOWN = 25;

/** What a report says about where its numbers come from. */
export interface ReportHead {
  protocol: string;
  cautions: readonly string[];
}

/** What is to be watched out for in a summary, as sentences. */
export function summaryCautions(summary: Summary): string[] {
  return summary.warnings.map((warning) => warnings[warning]);
}

/** The report as a person reads it in a terminal. Rounded; the files are not. */
export function terminalReport(summary: Summary, head: ReportHead): string {
  const { counts, bootstrap } = summary;
  const lines = [
    `measured ${counts.measured} of ${counts.steps} steps in ${counts.trajectories} trajectories with ${head.protocol}`,
    ...head.cautions.map((caution) => `caution: ${caution}`),
    ...summaryCautions(summary).map((caution) => `caution: ${caution}`),
    ...countLines(summary),
  ];
  if (counts.measured === 0) return `${lines.join("\n")}\n`;
  lines.push("", ...gainLines(summary));
  lines.push(
    `mean surprise ${plain(summary.surprise?.mean)}, largest ${plain(summary.surprise?.max)}; ` +
      `mean entropy movement ${signed(summary.entropyMovement?.mean)}`,
    `intervals: 95 %, ${bootstrap.resamples} resamples of whole trajectories, seed ${bootstrap.seed}`,
    "",
    ...stepTypeLines(summary.stepTypes),
  );
  if (summary.worst.length > 0) lines.push("", "worst steps", renderTable(stepColumns, summary.worst));
  if (summary.best.length > 0) lines.push("", "best steps", renderTable(stepColumns, summary.best));
  if (summary.humanLabels !== undefined) lines.push("", ...humanLabelText(summary.humanLabels));
  return `${lines.join("\n")}\n`;
}

/** Everything about the mean margin gain; nothing where no step has one. */
function gainLines({ marginGain, counts }: Summary): string[] {
  if (counts.withMargin === 0) return [];
  const { leaveOneOut, damage, repair, steps, trajectories } = marginGain;
  const some =
    steps < counts.steps
      ? `  of the ${steps} steps in ${trajectories} trajectories that have one`
      : undefined;
  const lines = [
    `mean margin gain ${signed(marginGain.mean)} nats ${interval(marginGain.interval)}` +
      ` (+ ${marginGain.positive}, 0 ${marginGain.zero}, - ${marginGain.negative} steps)`,
    ...(some === undefined ? [] : [some]),
    `  each trajectory once: ${signed(marginGain.trajectoryWeighted.mean)} ${interval(marginGain.trajectoryWeighted.interval)}`,
  ];
  if (leaveOneOut !== undefined) {
    lines.push(`  without any one trajectory: ${signed(leaveOneOut.min)} to ${signed(leaveOneOut.max)}`);
  }
  lines.push(
    `  damage ${damage.count} of ${damage.eligible} steps that had the target ahead (${percent(damage.rateOfEligible)}), ` +
      `repair ${repair.count} of ${repair.eligible} that had not (${percent(repair.rateOfEligible)})`,
  );
  return lines;
}

/** All step types, or the most frequent ones where there are very many. */
function stepTypeLines(types: readonly StepTypeSummary[]): string[] {
  if (types.length <= TYPES_SHOWN) return [renderTable(typeColumns, types)];
  const frequent = new Set([...types].sort((a, b) => b.steps - a.steps).slice(0, TYPES_SHOWN));
  return [
    renderTable(
      typeColumns,
      types.filter((type) => frequent.has(type)),
    ),
    `and ${types.length - TYPES_SHOWN} rarer step types, which tables/step_types.csv lists`,
  ];
}

function countLines({ counts, flags, variants }: Summary): string[] {
  const lines: string[] = [];
  if (counts.unscored > 0)
    lines.push(`  ${counts.unscored} steps could not be measured; they count nowhere below`);
  if (counts.partialTrajectories > 0)
    lines.push(`  ${counts.partialTrajectories} trajectories never closed; their finished steps are used`);
  const flagged = Object.entries(flags).map(([flag, count]) => `${flag} ${count}`);
  if (flagged.length > 0) lines.push(`  flags: ${printable(flagged.join(", "), 400)}`);
  for (const variant of variants) {
    if (variant.excludedSteps === 0) continue;
    lines.push(
      `  ${variant.name.replaceAll("_", " ")}: mean gain ${signed(variant.mean)} ${interval(variant.interval)}`,
    );
  }
  return lines;
}
