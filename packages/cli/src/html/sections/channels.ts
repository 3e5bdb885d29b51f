import type { ChannelComparison, ProtocolFieldDifference } from "@agent-step-value/sdk";
import { resamplingCautions } from "../../compare/few-resamples.ts";
import { isSameMeasurement } from "../../compare/same-measurement.ts";
import { foreign, plural, sentence } from "../markup/foreign.ts";
import { joined, markup, type HtmlValue, type SafeHtml } from "../markup/markup.ts";
import { count, percentage, plainNumber, signedNumber } from "../markup/number.ts";
import type { PlotMaker } from "../plots/plot-maker.ts";
import { stepTypeLegend, stepTypePlot } from "../plots/step-type-plot.ts";
import type { ReportInput } from "../report-input.ts";
import { COMPARISON_WARNINGS } from "../words/comparison-words.ts";
import { intervalOf } from "../words/estimate-words.ts";
import type { StepAnchors } from "./anchors.ts";
import { coverageText, effectTable, largestTable, MOST_TYPES } from "./channel-tables.ts";
import { mostOf } from "./most-of.ts";
import { cautionList, figure, more, section, tile } from "./section.ts";

/** How far the numbers depend on the channel that was asked (paper section 3.4). */
export function channelSection(input: ReportInput, maker: PlotMaker, anchors: StepAnchors): HtmlValue {
  const { comparisons = [] } = input;
  if (comparisons.length === 0) return undefined;
  return section(
    "channels",
    `The same steps through ${comparisons.length === 1 ? "another channel" : "other channels"}`,
    markup`<p class="intro">The transitions are frozen and only the measuring channel changes, so what changes with it
is the evaluator and not the agent. Agreement between channels is the stronger sign; disagreement says to look at
projection, rationale, labels and calibration first.</p>
`,
    // What is only about label layouts comes after what is about the channel.
    comparisons
      .toSorted((a, b) => Number(isLayoutAudit(a)) - Number(isLayoutAudit(b)))
      .map((comparison, at) => comparisonBlock(comparison, at, maker, anchors)),
  );
}

/** Whether two channels differ in their label mappings alone. */
function isLayoutAudit({ changedElements }: ChannelComparison): boolean {
  return changedElements?.length === 1 && changedElements[0] === "mappings";
}

const layoutNote = markup`<p>Only the order of the labels differs. The figure of the step types shows both side by
side.</p>
`;

const sameMeasurement = markup`<strong>These two are the same measurement</strong>: every step has the very same gain in
both. Perhaps the evaluator was shown the same in both; that they agree says nothing.`;

function cautionsOf(comparison: ChannelComparison): HtmlValue[] {
  const { warnings, bootstrap, all } = comparison;
  return [
    ...warnings.map((warning) => COMPARISON_WARNINGS[warning]),
    ...resamplingCautions(bootstrap, all.signed.interval !== undefined).map(sentence),
    ...(isSameMeasurement(comparison) ? [sameMeasurement] : []),
  ];
}

function comparisonBlock(
  comparison: ChannelComparison,
  at: number,
  maker: PlotMaker,
  anchors: StepAnchors,
): SafeHtml {
  const { a, b } = comparison;
  const figureOfTypes = isLayoutAudit(comparison) ? layoutNote : typeFigure(comparison, maker);
  return markup`<div class="comparison"><h3>${foreign(a.name)} against ${foreign(b.name)}</h3>
${effectTiles(comparison)}
<p>${signSentences(comparison)}</p>
${differenceList(comparison)}
${cautionList(cautionsOf(comparison))}
${figureOfTypes}
${more(
  "Numbers, coverage and the largest differences",
  effectTable(comparison, at),
  coverageText(comparison),
  largestTable(comparison, at, anchors),
)}</div>
`;
}

function effectTiles({ a, b, all }: ChannelComparison): SafeHtml {
  const { rate, disagree, bothMoved } = all.signDisagreement;
  const moved = markup`${count(disagree)} of ${count(bothMoved)} that moved in both`;
  return markup`<dl class="tiles">
${tile("Mean signed effect", nats(signedNumber(all.signed.mean)), intervalOf(all.signed))}
${tile("Mean absolute effect", nats(plainNumber(all.absolute.mean)), intervalOf(all.absolute, plainNumber))}
${tile("Sign disagreement", percentage(rate.mean), markup`${moved}<br>${intervalOf(rate, percentage)}`)}
${tile(markup`Mean gain, ${foreign(a.name, 24)}`, nats(signedNumber(all.a.mean)), intervalOf(all.a))}
${tile(markup`Mean gain, ${foreign(b.name, 24)}`, nats(signedNumber(all.b.mean)), intervalOf(all.b))}</dl>
`;
}

function nats(number: SafeHtml): SafeHtml {
  return markup`${number} <small>nats</small>`;
}

function signSentences({ a, b, all, clean, coverage }: ChannelComparison): SafeHtml {
  const { onlyAMoved, onlyBMoved, neitherMoved } = all.signDisagreement;
  const [nameA, nameB] = [foreign(a.name, 24), foreign(b.name, 24)];
  const paired = markup`${count(coverage.paired)} of ${plural(coverage.transitions, "transition")} in
${plural(all.trajectories, "run")} ${coverage.paired === 1 ? "was" : "were"} measured in both.`;
  const excluded = markup`${count(onlyAMoved)} moved under ${nameA} alone, ${count(onlyBMoved)} under ${nameB} alone and
${count(neitherMoved)} under neither; they have no pair of signs to compare.`;
  if (clean.excludedPairs === 0) return markup`${paired} ${excluded} No pair is doubtful.`;
  return markup`${paired} ${excluded} Without ${plural(clean.excludedPairs, "doubtful pair")} the signed effect is
${signedNumber(clean.signed.mean)} ${intervalOf(clean.signed)}, and signs differ in
${percentage(clean.signDisagreement.rate.mean)}.`;
}

const MOST_DIFFERENCES = 40;

/** Which fields of the protocols differ, or that none does. */
function differenceList({ differences, changedElements = [] }: ChannelComparison): SafeHtml {
  if (differences === undefined) return markup`<p>What differs between the protocols is not known.</p>`;
  if (differences.length === 0) return markup`<p>The protocols are the same in every field.</p>`;
  const items = differences
    .slice(0, MOST_DIFFERENCES)
    .map(({ path, a, b }) => markup`<li><code>${foreign(path)}</code>: ${setting(a)} → ${setting(b)}</li>`);
  const parts = changedElements.map((name) => markup`<strong>${name}</strong>`);
  return markup`<p>What differs between the protocols${parts.length > 0 && markup` (${joined(parts)})`}:</p>
<ul class="differences">${items}</ul>`;
}

function setting(value: ProtocolFieldDifference["a"]): SafeHtml {
  if (value === undefined) return markup`<span class="none">absent</span>`;
  return markup`<code>${foreign(JSON.stringify(value), 120)}</code>`;
}

function typeFigure(comparison: ChannelComparison, maker: PlotMaker): HtmlValue {
  const paired = comparison.stepTypes.filter(({ pairs }) => pairs > 0);
  if (paired.length === 0) return undefined;
  const drawn = mostOf(paired, MOST_TYPES, ({ pairs }) => pairs);
  const rest = paired.length - drawn.length;
  const [nameA, nameB] = [comparison.a.name, comparison.b.name];
  return figure(
    markup`Mean margin gain of both channels over the same transitions, by step type.${rest > 0 && ` The ${MOST_TYPES} most frequent of ${paired.length} are drawn.`}`,
    stepTypeLegend([foreign(nameA, 40), foreign(nameB, 40)]),
    stepTypePlot(
      maker,
      drawn.map(({ action, pairs }) => ({ action, steps: pairs })),
      [
        { name: nameA, types: new Map(drawn.map((type) => [type.action, type.a])) },
        { name: nameB, types: new Map(drawn.map((type) => [type.action, type.b])) },
      ],
    ),
  );
}
