import type {
  ChannelComparison,
  ChannelEffect,
  ComparisonWarning,
  PairedStep,
  StepTypeEffect,
} from "@agent-step-value/sdk";
import { interval, percent, plain, signed } from "../terminal/number.ts";
import { printable, renderTable, type Column } from "../terminal/table.ts";
import { resamplingCautions } from "./few-resamples.ts";
import { isSameMeasurement, SAME_MEASUREMENT } from "./same-measurement.ts";

const warnings: Readonly<Record<ComparisonWarning, string>> = {
  no_steps: "neither channel has a step",
  no_pairs: "no step has a margin gain in both channels; nothing can be compared",
  too_few_trajectories: "fewer than 5 trajectories: no interval is given",
  few_trajectories: "fewer than 20 trajectories: intervals are too narrow",
  no_paired_moves: "no step moved in both channels: there is no rate of sign disagreement",
  unequal_coverage: "the channels do not cover the same steps; only steps of both are compared",
  mismatched_transitions: "steps of the same ids are not the same transition; they are left out",
  unverified_transitions: "steps without state digests are paired by their ids alone",
  several_protocols: "a channel mixes several protocols",
  same_protocol: "both channels are the same protocol: differences are its repeat noise",
  protocol_unknown: "a channel's settings are not known, so nobody can say what differs",
  several_elements_differ:
    "the protocols differ in more than one element: the effect belongs to none of them alone",
};

/** More than this are no list to read. */
const DIFFERENCES_SHOWN = 12;
const TYPES_SHOWN = 25;
const LARGEST_SHOWN = 5;

/** What is to be watched out for in a comparison, as sentences. */
export function comparisonCautions(comparison: ChannelComparison): string[] {
  const found = comparison.warnings.map((warning) => warnings[warning]);
  const { bootstrap, all } = comparison;
  return [
    ...found,
    ...resamplingCautions(bootstrap, all.signed.interval !== undefined),
    ...(isSameMeasurement(comparison) ? [SAME_MEASUREMENT] : []),
  ];
}

/** Means of one value seen often have a point for an interval, which is no sign of precision. */
const POINTS =
  "an interval of one point: all trajectories have that very value, which says nothing of others";

function hasPoint({ a, b, signed: effect, absolute, signDisagreement }: ChannelEffect): boolean {
  return [a, b, effect, absolute, signDisagreement.rate].some(
    ({ interval: ends }) => ends?.degenerate === true,
  );
}

/** One comparison as a person reads it in a terminal. Rounded; the files are not. */
export function comparisonText(comparison: ChannelComparison): string {
  const { a, b, coverage, all, clean, bootstrap, stepTypes, largest } = comparison;
  const lines = [
    `${printable(a.name)} against ${printable(b.name)}: ${coverage.paired} of ${coverage.transitions} transitions ` +
      `have a gain in both, in ${coverage.trajectories.paired} trajectories`,
    ...comparisonCautions(comparison).map((caution) => `caution: ${caution}`),
    ...differenceLines(comparison),
    ...coverageLines(comparison),
  ];
  if (coverage.paired === 0) return `${lines.join("\n")}\n`;
  lines.push(
    "",
    `mean gain           ${signed(all.a.mean)} ${interval(all.a.interval)} against ${signed(all.b.mean)} ${interval(all.b.interval)}`,
    ...effectLines(all),
    `without doubtful steps (${clean.excludedPairs} left out): effect ${signed(clean.signed.mean)} ${interval(clean.signed.interval)}`,
    `intervals: 95 %, ${bootstrap.resamples} resamples of whole trajectories, seed ${bootstrap.seed}`,
    ...([all, ...stepTypes].some(hasPoint) ? [POINTS] : []),
  );
  if (stepTypes.length > 1) lines.push("", ...stepTypeLines(stepTypes));
  const moved = largest.filter(({ effect }) => effect !== 0).slice(0, LARGEST_SHOWN);
  if (moved.length > 0) lines.push("", "largest effects", renderTable(stepColumns, moved));
  return `${lines.join("\n")}\n`;
}

function effectLines(effect: ChannelEffect): string[] {
  const { signed: mean, absolute, signDisagreement: flips, damage, repair } = effect;
  return [
    `channel effect      ${signed(mean.mean)} ${interval(mean.interval)} nats, absolute ${plain(absolute.mean)} ${interval(absolute.interval)}`,
    `signs disagree in   ${flips.disagree} of ${flips.bothMoved} steps that moved in both (${percent(flips.rate.mean)} ${shares(flips.rate.interval)});` +
      ` moved in one only: ${flips.onlyAMoved} and ${flips.onlyBMoved}, in neither: ${flips.neitherMoved}`,
    `damage              ${damage.a.count} against ${damage.b.count}; both ${damage.both}`,
    `repair              ${repair.a.count} against ${repair.b.count}; both ${repair.both}`,
  ];
}

function shares(ends: { low: number; high: number } | undefined): string {
  return ends === undefined ? "–" : `[${percent(ends.low)}, ${percent(ends.high)}]`;
}

function differenceLines({ differences, changedElements }: ChannelComparison): string[] {
  if (differences === undefined) return [];
  if (differences.length === 0) return ["the protocols do not differ"];
  const shown = differences
    .slice(0, DIFFERENCES_SHOWN)
    .map(({ path, a, b }) => `  ${printable(path)}: ${value(a)} against ${value(b)}`);
  const more = differences.length - shown.length;
  return [
    `the protocols differ in ${printable(changedElements?.join(", ") ?? "these settings", 200)}:`,
    ...shown,
    ...(more > 0 ? [`  and ${more} more settings`] : []),
  ];
}

function value(setting: unknown): string {
  return setting === undefined ? "absent" : printable(JSON.stringify(setting));
}

function coverageLines({ coverage }: ChannelComparison): string[] {
  const left = [
    ["only in the channel", coverage.onlyInA],
    ["only in the baseline", coverage.onlyInB],
    ["without a gain in the channel", coverage.withoutGainInA],
    ["without a gain in the baseline", coverage.withoutGainInB],
    ["without a gain in both", coverage.withoutGainInBoth],
    ...coverage.mismatches.map(({ reason, count }) => [`another ${reason.replaceAll("_", " ")}`, count]),
  ].filter(([, count]) => count !== 0);
  return left.length === 0
    ? []
    : [`  left out: ${left.map(([name, count]) => `${name} ${count}`).join(", ")}`];
}

const typeColumns: readonly Column<StepTypeEffect>[] = [
  { title: "step type", cell: (type) => type.action },
  { title: "pairs", align: "right", cell: (type) => String(type.pairs) },
  { title: "gain", align: "right", cell: (type) => signed(type.a.mean) },
  { title: "baseline", align: "right", cell: (type) => signed(type.b.mean) },
  { title: "effect", align: "right", cell: (type) => signed(type.signed.mean) },
  { title: "95 % interval", cell: (type) => interval(type.signed.interval) },
  { title: "absolute", align: "right", cell: (type) => plain(type.absolute.mean) },
  {
    title: "signs differ",
    align: "right",
    cell: ({ signDisagreement: { disagree, bothMoved } }) => `${disagree}/${bothMoved}`,
  },
];

const stepColumns: readonly Column<PairedStep>[] = [
  { title: "effect", align: "right", cell: (step) => signed(step.effect) },
  { title: "gain", align: "right", cell: (step) => signed(step.gainA) },
  { title: "baseline", align: "right", cell: (step) => signed(step.gainB) },
  { title: "step type", cell: (step) => step.action },
  { title: "trajectory", cell: (step) => step.trajectoryId },
  { title: "step", cell: (step) => step.stepId },
];

function stepTypeLines(types: readonly StepTypeEffect[]): string[] {
  if (types.length <= TYPES_SHOWN) return [renderTable(typeColumns, types)];
  const frequent = new Set([...types].sort((one, other) => other.pairs - one.pairs).slice(0, TYPES_SHOWN));
  return [
    renderTable(
      typeColumns,
      types.filter((type) => frequent.has(type)),
    ),
    `and ${types.length - TYPES_SHOWN} rarer step types, which tables/step_type_effects.csv lists`,
  ];
}
