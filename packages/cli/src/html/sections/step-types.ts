import { diffProtocols, type CrossingRate, type StepTypeSummary, type Summary } from "@agent-step-value/sdk";
import { foreign, plural } from "../markup/foreign.ts";
import { markup, type HtmlValue, type SafeHtml } from "../markup/markup.ts";
import { count, intervalNumbers, percentage, plainNumber, signedNumber } from "../markup/number.ts";
import { dataTable, type TableColumn } from "../markup/table.ts";
import { crossingPlot, noCrossings } from "../plots/crossing-plot.ts";
import type { PlotMaker } from "../plots/plot-maker.ts";
import { stepTypeLegend, stepTypePlot, type StepTypeSeries } from "../plots/step-type-plot.ts";
import type { ReportChannel, ReportInput } from "../report-input.ts";
import { intervalOf } from "../words/estimate-words.ts";
import { mostOf } from "./most-of.ts";
import { figure, more, section } from "./section.ts";

/** Rows of a figure, and of a table; rarer step types are counted and in the tables of `asv report --out`. */
const MOST_DRAWN = 30;
const MOST_LISTED = 200;

/** Where the gains lie: the paper's Figure 2, damage and repair, and the numbers of both. */
export function stepTypeSection(input: ReportInput, maker: PlotMaker): HtmlValue {
  const { channel, others = [] } = input;
  const types = channel.summary.stepTypes;
  if (types.length === 0) return undefined;
  const drawn = mostOf(types, MOST_DRAWN, ({ allSteps }) => allSteps);
  const shown = [channel, ...otherLayouts(channel, others).slice(0, 1)];
  const withGain = drawn.filter(({ mean }) => mean !== undefined);
  return section(
    "step-types",
    "Where the gains and losses lie",
    withGain.length > 0 &&
      markup`<p class="intro">Mean margin gain by step type, most negative first. ${leftOut(types, drawn)}</p>
`,
    withGain.length > 0 &&
      figure(
        "Right of zero a step type moved belief toward the target, left of it away. Beside each name stands the number of its steps; without a bar there are too few runs for an interval. Many steps move nothing and a few move much, so read a mean as a hint where to look.",
        stepTypeLegend(shown.map(seriesName)),
        stepTypePlot(maker, withGain, shown.map(seriesOf)),
      ),
    markup`<h3 id="crossings">Damage and repair</h3>
<p class="intro">Damage: the target was ahead of every other candidate before the step and not after it. Repair:
the reverse.</p>
`,
    channel.summary.marginGain.steps === 0 ? crossingsUnknown : crossings(types, maker),
    more(markup`The numbers behind both figures`, typeTable(channel.summary)),
  );
}

/** Channels that differ from the main one in their label mappings alone (the paper's open triangles). */
function otherLayouts(channel: ReportChannel, others: readonly ReportChannel[]): ReportChannel[] {
  const main = channel.protocol;
  if (main === undefined) return [];
  return others.filter(({ protocol }) => {
    if (protocol === undefined) return false;
    const differences = diffProtocols(main, protocol);
    return differences.length > 0 && differences.every(({ path }) => path.startsWith("mappings."));
  });
}

function seriesName({ name, protocol }: ReportChannel): string {
  const mappings = protocol?.mappings;
  return mappings === undefined ? name : `${name}, B = ${mappings.count} ${mappings.design}`;
}

function seriesOf(channel: ReportChannel): StepTypeSeries {
  return { name: channel.name, types: new Map(channel.summary.stepTypes.map((type) => [type.action, type])) };
}

const crossingsUnknown = markup`<p>No step has a margin, so damage and repair are not known.</p>`;

function crossings(types: readonly StepTypeSummary[], maker: PlotMaker): SafeHtml {
  const crossed = types.filter(({ damage, repair }) => damage.count + repair.count > 0);
  if (crossed.length === 0) return noCrossings;
  const chosen = mostOf(crossed, MOST_DRAWN, ({ damage, repair }) => damage.count + repair.count);
  const still = types.length - crossed.length;
  const rest = crossed.length - chosen.length;
  const notes = [
    "Counts at the ends: how often it happened, of how many steps at which it could.",
    still > 0 ? `Not drawn: ${plural(still, "step type")} without a crossing.` : "",
    rest > 0 ? `Not drawn: ${plural(rest, "step type")} with fewer crossings.` : "",
  ];
  return figure(notes.join(" "), crossingPlot(maker, chosen));
}

const columns: readonly TableColumn<StepTypeSummary>[] = [
  { title: "Step type", kind: "rowHeader", cell: ({ action }) => foreign(action) },
  { title: "Steps", kind: "number", cell: ({ allSteps }) => count(allSteps) },
  { title: "Measured", kind: "number", cell: ({ measured }) => count(measured) },
  { title: "Mean gain", kind: "number", cell: ({ mean }) => signedNumber(mean) },
  { title: "95 % interval", kind: "number", cell: (type) => intervalOf(type) },
  { title: "Adjusted p", kind: "number", cell: ({ test }) => plainNumber(test?.adjusted) },
  { title: "Median", kind: "number", cell: ({ median }) => signedNumber(median) },
  { title: "+ / 0 / −", kind: "number", cell: (type) => signsText(type) },
  { title: "Damage", kind: "number", cell: ({ damage }) => crossingCell(damage) },
  { title: "of all", kind: "number", cell: ({ damage }) => percentage(damage.rate) },
  { title: "Repair", kind: "number", cell: ({ repair }) => crossingCell(repair) },
  { title: "of all", kind: "number", cell: ({ repair }) => percentage(repair.rate) },
  { title: "Mean surprise", kind: "number", cell: ({ meanSurprise }) => plainNumber(meanSurprise) },
];

function signsText({ positive, zero, negative }: StepTypeSummary): SafeHtml {
  return markup`${count(positive)} / ${count(zero)} / ${count(negative)}`;
}

/** Count of eligible steps, their share, and its interval below. */
function crossingCell({
  count: times,
  eligible,
  rateOfEligible,
  intervalOfEligible,
}: CrossingRate): SafeHtml {
  const interval = intervalOfEligible && intervalNumbers(intervalOfEligible, percentage);
  return markup`${count(times)} of ${count(eligible)} <small class="under">${percentage(rateOfEligible)}
${interval}</small>`;
}

function typeTable({ stepTypes, stepTypeTests }: Summary): HtmlValue {
  const listed = mostOf(stepTypes, MOST_LISTED, ({ allSteps }) => allSteps);
  const rest = stepTypes.length - listed.length;
  return [
    dataTable(
      { id: "step-types-caption", caption: "Step types, most negative mean margin gain first (nats)" },
      columns,
      listed,
    ),
    markup`<p class="note">Adjusted p: two-sided bootstrap test of a mean of zero, adjusted for
${plural(stepTypeTests.tests, "step type")} (Benjamini-Hochberg). Under damage and repair: share of the steps at which it could happen, with its
interval.${rest > 0 && ` ${plural(rest, "rarer step type")} left out here; asv report --out lists all.`}</p>`,
  ];
}

function leftOut(types: readonly StepTypeSummary[], drawn: readonly StepTypeSummary[]): HtmlValue {
  const rest = types.length - drawn.length;
  return (
    rest > 0 &&
    `The ${drawn.length} most frequent step types are drawn; ${plural(rest, "rarer one")} ${rest === 1 ? "is" : "are"} in the table.`
  );
}
