import type { CollectedRuns } from "../collect/collect-runs.ts";
import type { RunView, StepView } from "../collect/run-view.ts";
import { foreign, plural } from "../markup/foreign.ts";
import { markup, type SafeHtml } from "../markup/markup.ts";
import { plainNumber, signedNumber } from "../markup/number.ts";
import { headerCell, tableRow, type TableColumn } from "../markup/table.ts";
import { flagWords } from "../words/flag-meanings.ts";
import { stepAnchor } from "./anchors.ts";
import type { RunContext } from "./run-context.ts";
import { sampleNote } from "./runs.ts";
import { colouredGain } from "./step-card.ts";

interface StepRow {
  run: RunView;
  step: StepView;
}

/** Every shown step in one table, a row each. */
export function* stepTableSection(runs: CollectedRuns, context: RunContext): Generator<SafeHtml> {
  const columns = columnsOf(context);
  const steps = runs.shown.reduce((sum, run) => sum + run.steps.length, 0);
  yield markup`<section id="steps" aria-labelledby="steps-title">
<h2 id="steps-title">Every step in one table</h2>
<p class="intro">One row a step, rounded to three decimals; the unrounded number is in the markup of each cell and in the files of <code>asv report --out</code>. ${sampleNote(runs)}</p>
<details class="more"><summary>${plural(steps, "step")}</summary>
<div class="scroll" role="region" aria-labelledby="steps-caption" tabindex="0">
<table class="steps"><caption id="steps-caption">Steps in the order of their runs (nats)</caption>
<thead><tr>${columns.map(headerCell)}</tr></thead><tbody>
`;
  for (const run of runs.shown) for (const step of run.steps) yield tableRow(columns, { run, step });
  yield markup`</tbody></table></div></details></section>
`;
}

function columnsOf({ channelNames, scale }: RunContext): readonly TableColumn<StepRow>[] {
  return [
    { title: "Run", cell: ({ run }) => foreign(run.trajectoryId, 36) },
    { title: "Step", kind: "number", cell: ({ step }) => String(step.measured.index) },
    {
      title: "Type",
      kind: "rowHeader",
      cell: ({ run, step }) =>
        markup`<a href="#${stepAnchor(run.number, step.place)}">${foreign(step.measured.action, 36)}</a>`,
    },
    {
      title: "Gain",
      kind: "number",
      cell: ({ step }) => colouredGain(step.measured.diagnostics?.marginGain, scale),
    },
    ...channelNames.map((name, at): TableColumn<StepRow> => ({
      title: markup`Gain, ${foreign(name, 20)}`,
      kind: "number",
      cell: ({ step }) => colouredGain(step.inOthers[at]?.diagnostics?.marginGain, scale),
    })),
    {
      title: "Surprise",
      kind: "number",
      cell: ({ step }) => plainNumber(step.measured.diagnostics?.surprise),
    },
    {
      title: "Entropy movement",
      kind: "number",
      cell: ({ step }) => signedNumber(step.measured.diagnostics?.entropyMovement),
    },
    {
      title: "Margin before",
      kind: "number",
      cell: ({ step }) => signedNumber(step.measured.diagnostics?.marginBefore),
    },
    {
      title: "Margin after",
      kind: "number",
      cell: ({ step }) => signedNumber(step.measured.diagnostics?.marginAfter),
    },
    { title: "Crossing", cell: ({ step }) => crossingWord(step) },
    { title: "Flags", cell: ({ step }) => step.measured.flags.map(flagWords).join(", ") },
    { title: "Label", cell: ({ step }) => step.verdict !== undefined && foreign(step.verdict.label, 40) },
  ];
}

function crossingWord({ measured: { diagnostics } }: StepView): string {
  return diagnostics?.damage === true ? "damage" : diagnostics?.repair === true ? "repair" : "";
}
