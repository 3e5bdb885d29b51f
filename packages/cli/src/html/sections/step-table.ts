import type { StepDiagnostics } from "@agent-step-value/sdk";
import type { CollectedRuns } from "../collect/collect-runs.ts";
import type { RunView, StepView } from "../collect/run-view.ts";
import { foreign, plural } from "../markup/foreign.ts";
import { markup, type HtmlValue, type SafeHtml } from "../markup/markup.ts";
import { plainNumber, signedNumber } from "../markup/number.ts";
import { headerCell } from "../markup/table.ts";
import { flagWords } from "../words/flag-meanings.ts";
import { stepAnchor } from "./anchors.ts";
import { gainElement } from "./gain-element.ts";
import type { RunContext } from "./run-context.ts";
import { sampleNote } from "./runs.ts";

/** A column with its whole cells: in a table of thousands of rows, what a cell brings along is most of the file. */
interface StepColumn {
  title: HtmlValue;
  kind?: "number";
  cell: (step: StepView, run: RunView) => SafeHtml;
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
  for (const run of runs.shown) {
    for (const step of run.steps)
      yield markup`<tr>${columns.map(({ cell }) => cell(step, run))}</tr>
`;
  }
  yield markup`</tbody></table></div></details></section>
`;
}

function columnsOf({ channelNames, scale }: RunContext): readonly StepColumn[] {
  return [
    { title: "Run", cell: (_, run) => textCell(foreign(run.trajectoryId, 36)) },
    { title: "Step", kind: "number", cell: ({ measured }) => markup`<td>${measured.index}</td>` },
    {
      title: "Type",
      cell: ({ measured, place }, { number }) =>
        markup`<th scope="row"><a href="#${stepAnchor(number, place)}">${foreign(measured.action, 36)}</a></th>`,
    },
    {
      title: "Gain",
      kind: "number",
      cell: ({ measured }) => gainElement("td", measured.diagnostics?.marginGain, scale, signedNumber),
    },
    ...channelNames.map((name, at): StepColumn => ({
      title: markup`Gain, ${foreign(name, 20)}`,
      kind: "number",
      cell: ({ inOthers }) => gainElement("td", inOthers[at]?.diagnostics?.marginGain, scale, signedNumber),
    })),
    numberColumn("Surprise", plainNumber, ({ surprise }) => surprise),
    numberColumn("Entropy movement", signedNumber, ({ entropyMovement }) => entropyMovement),
    numberColumn("Margin before", signedNumber, ({ marginBefore }) => marginBefore),
    numberColumn("Margin after", signedNumber, ({ marginAfter }) => marginAfter),
    { title: "Crossing", cell: (step) => textCell(crossingWord(step)) },
    { title: "Flags", cell: ({ measured }) => textCell(measured.flags.map(flagWords).join(", ")) },
    {
      title: "Label",
      cell: ({ verdict }) => textCell(verdict !== undefined && foreign(verdict.label, 40)),
    },
  ];
}

function numberColumn(
  title: string,
  number: (value: number | undefined) => SafeHtml,
  valueOf: (diagnostics: StepDiagnostics) => number | undefined,
): StepColumn {
  const cell = ({ measured: { diagnostics } }: StepView): SafeHtml =>
    markup`<td>${number(diagnostics && valueOf(diagnostics))}</td>`;
  return { title, kind: "number", cell };
}

/** A cell that stands to the left; what has no class is a number. */
function textCell(content: HtmlValue): SafeHtml {
  return markup`<td class="w">${content}</td>`;
}

function crossingWord({ measured: { diagnostics } }: StepView): string {
  return diagnostics?.damage === true ? "damage" : diagnostics?.repair === true ? "repair" : "";
}
