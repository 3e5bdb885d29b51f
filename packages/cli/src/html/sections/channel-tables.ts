import type { ChannelComparison, ChannelEffect, PairedStep, StepTypeEffect } from "@agent-step-value/sdk";
import { foreign, plural } from "../markup/foreign.ts";
import { joined, markup, type HtmlValue, type SafeHtml } from "../markup/markup.ts";
import { count, percentage, plainNumber, signedNumber } from "../markup/number.ts";
import { dataTable, type TableColumn } from "../markup/table.ts";
import { intervalOf } from "../words/estimate-words.ts";
import type { StepAnchors } from "./anchors.ts";
import { mostOf } from "./most-of.ts";

/** Step types drawn and listed a comparison. */
export const MOST_TYPES = 30;

interface EffectRow {
  name: HtmlValue;
  effect: ChannelEffect;
  test?: StepTypeEffect["test"];
}

const effectColumns: readonly TableColumn<EffectRow>[] = [
  { title: "Transitions", kind: "rowHeader", cell: ({ name }) => name },
  { title: "n", kind: "number", cell: ({ effect }) => count(effect.pairs) },
  { title: "Signed effect", kind: "number", cell: ({ effect }) => signedNumber(effect.signed.mean) },
  { title: "95 % interval", kind: "number", cell: ({ effect }) => intervalOf(effect.signed) },
  { title: "Absolute", kind: "number", cell: ({ effect }) => plainNumber(effect.absolute.mean) },
  {
    title: "Signs differ",
    kind: "number",
    cell: ({ effect }) => percentage(effect.signDisagreement.rate.mean),
  },
  {
    title: "Damage",
    kind: "number",
    cell: ({ effect: { damage } }) => markup`${count(damage.a.count)} / ${count(damage.b.count)}`,
  },
  {
    title: "Repair",
    kind: "number",
    cell: ({ effect: { repair } }) => markup`${count(repair.a.count)} / ${count(repair.b.count)}`,
  },
  { title: "Adjusted p", kind: "number", cell: ({ test }) => plainNumber(test?.adjusted) },
];

/** The channel effect over all pairs, the clean ones, and by step type. */
export function effectTable(comparison: ChannelComparison, at: number): SafeHtml {
  const { a, b, all, clean, stepTypes, stepTypeTests } = comparison;
  const rows: EffectRow[] = [
    { name: "All", effect: all },
    { name: "Clean", effect: clean },
    ...mostOf(stepTypes, MOST_TYPES, ({ pairs }) => pairs).map((type) => ({
      name: foreign(type.action),
      effect: type,
      ...(type.test !== undefined && { test: type.test }),
    })),
  ];
  const caption = markup`Channel effect, ${foreign(a.name)} minus ${foreign(b.name)} (nats); damage and repair under either`;
  return markup`${dataTable({ id: `effect-${at}-caption`, caption }, effectColumns, rows)}
<p class="note">Adjusted p: two-sided bootstrap test of no effect on a step type, adjusted for
${plural(stepTypeTests.tests, "step type")} (Benjamini-Hochberg).</p>`;
}

/** What became of the transitions that are in no number. */
export function coverageText({ a, b, coverage: pairs }: ChannelComparison): SafeHtml {
  const [nameA, nameB] = [foreign(a.name, 24), foreign(b.name, 24)];
  const lost: readonly (readonly [steps: number, why: HtmlValue])[] = [
    [pairs.onlyInA, markup`only in ${nameA}`],
    [pairs.onlyInB, markup`only in ${nameB}`],
    [pairs.withoutGainInA, markup`without a gain in ${nameA}`],
    [pairs.withoutGainInB, markup`without a gain in ${nameB}`],
    [pairs.withoutGainInBoth, "without a gain in both"],
    [pairs.mismatched, "not the same transition"],
  ];
  const said = lost.filter(([steps]) => steps > 0).map(([steps, why]) => markup`${count(steps)} ${why}`);
  if (said.length === 0) return markup`<p>Every transition has a gain in both channels.</p>`;
  return markup`<p>Left out of ${plural(pairs.transitions, "transition")}: ${joined(said)}.</p>`;
}

/** The steps on which the channels differ most, each a link. */
export function largestTable(
  { a, b, largest }: ChannelComparison,
  at: number,
  anchors: StepAnchors,
): HtmlValue {
  if (largest.length === 0) return undefined;
  const columns: readonly TableColumn<PairedStep>[] = [
    { title: "Step", kind: "rowHeader", cell: (step) => stepLink(step, anchors) },
    { title: "Run", cell: ({ trajectoryId }) => foreign(trajectoryId, 40) },
    { title: foreign(a.name, 24), kind: "number", cell: ({ gainA }) => signedNumber(gainA) },
    { title: foreign(b.name, 24), kind: "number", cell: ({ gainB }) => signedNumber(gainB) },
    { title: "Effect", kind: "number", cell: ({ effect }) => signedNumber(effect) },
  ];
  const caption = "Steps on which the channels differ most (margin gain, nats)";
  return dataTable({ id: `largest-${at}-caption`, caption }, columns, largest);
}

function stepLink({ trajectoryId, stepId, index, action }: PairedStep, anchors: StepAnchors): SafeHtml {
  const anchor = anchors.find(trajectoryId, stepId);
  const name = markup`${foreign(action, 40)} <small>step ${index}</small>`;
  return anchor === undefined ? name : markup`<a href="#${anchor}">${name}</a>`;
}
