import type { ExtremeStep } from "@agent-step-value/sdk";
import { foreign } from "../markup/foreign.ts";
import { markup, type HtmlValue, type SafeHtml } from "../markup/markup.ts";
import { plainNumber, signedNumber } from "../markup/number.ts";
import { dataTable, type TableColumn } from "../markup/table.ts";
import type { ReportInput } from "../report-input.ts";
import { flagWords } from "../words/flag-meanings.ts";
import type { StepAnchors } from "./anchors.ts";
import { section } from "./section.ts";

/** The steps at both ends, each a link to what it did. */
export function extremesSection({ channel: { summary } }: ReportInput, anchors: StepAnchors): HtmlValue {
  const { worst, best } = summary;
  if (worst.length + best.length === 0) return undefined;
  return section(
    "extremes",
    "Where to look first",
    markup`<p class="intro">The steps that moved the target's margin most, each a link to what it did to the state.</p>
<div class="pair">
${extremeTable("worst", "Furthest away from the target", worst, anchors)}
${extremeTable("best", "Furthest toward the target", best, anchors)}</div>
`,
  );
}

function extremeTable(
  side: "worst" | "best",
  caption: string,
  steps: readonly ExtremeStep[],
  anchors: StepAnchors,
): SafeHtml {
  if (steps.length === 0) return markup`<p>No step: ${caption.toLowerCase()}.</p>`;
  const columns: readonly TableColumn<ExtremeStep>[] = [
    {
      title: "Step",
      kind: "rowHeader",
      cell: (step) => stepCell(step, anchors.find(step.trajectoryId, step.stepId)),
    },
    {
      title: "Gain",
      kind: "number",
      cell: ({ marginGain }) =>
        markup`<strong class="${side === "worst" ? "neg" : "pos"}">${signedNumber(marginGain)}</strong>`,
    },
    { title: "Surprise", kind: "number", cell: ({ surprise }) => plainNumber(surprise) },
  ];
  return dataTable({ id: `${side}-caption`, caption }, columns, steps);
}

function stepCell({ action, index, trajectoryId, flags }: ExtremeStep, anchor: string | undefined): SafeHtml {
  const name = markup`${foreign(action, 40)} <small>step ${index}</small>`;
  const link = anchor === undefined ? name : markup`<a href="#${anchor}">${name}</a>`;
  const doubts = flags.length > 0 && ` · ${flags.map(flagWords).join(", ")}`;
  return markup`${link} <span class="of-run">${foreign(trajectoryId, 44)}${doubts}</span>`;
}
