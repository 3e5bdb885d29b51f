import type { RunView, StepView } from "../collect/run-view.ts";
import { boundedMarkup } from "../markup/bounded-text.ts";
import { foreign } from "../markup/foreign.ts";
import { markup, type HtmlValue, type SafeHtml } from "../markup/markup.ts";
import { stepAnchor } from "./anchors.ts";
import type { RunContext } from "./run-context.ts";
import { stateChangeMarkup } from "./state-change.ts";
import { stepNumbers } from "./step-numbers.ts";

/** One step in full: its numbers, beliefs on either side, what it did to the state, the rationale. */
export function stepCard(run: RunView, step: StepView, context: RunContext): SafeHtml {
  const { measured, place, action, verdict } = step;
  const note = verdict?.note;
  return markup`<article class="step" id="${stepAnchor(run.number, place)}">
<h4><span class="place">${measured.index}</span> ${foreign(measured.action, 60)} ${stepTags(step)}</h4>
${
  action !== undefined &&
  markup`<p class="action">${boundedMarkup(action, { left: 200 })}</p>
`
}${
    note !== undefined &&
    markup`<p class="verdict">Label note: ${boundedMarkup(note, { left: 400 })}</p>
`
  }<div class="step-body"><div>${stepNumbers(run, step, context)}</div>
<div>${statePart(step, context)}${rationalePart(run, step, context)}</div></div></article>
`;
}

function stepTags({ measured: { diagnostics }, verdict }: StepView): HtmlValue {
  const tags: SafeHtml[] = [];
  if (diagnostics?.damage === true) tags.push(markup`<span class="tag neg">damage</span> `);
  if (diagnostics?.repair === true) tags.push(markup`<span class="tag pos">repair</span> `);
  if (verdict !== undefined) {
    const by = verdict.source !== undefined && markup` <small>by ${foreign(verdict.source, 24)}</small>`;
    tags.push(markup`<span class="tag human">human label: ${foreign(verdict.label, 40)}${by}</span>`);
  }
  return tags;
}

function statePart({ change, between }: StepView, { textBytes }: RunContext): HtmlValue {
  const budget = { left: textBytes };
  return [
    between !== undefined &&
      markup`<h5>Changed by the agent before this step</h5>${stateChangeMarkup(between, budget)}`,
    markup`<h5>What the step did to the state</h5>`,
    change === undefined
      ? markup`<p class="quiet">No state was recorded.</p>`
      : stateChangeMarkup(change, budget),
  ];
}

/** The rationale of the after-state, and of the before-state where it is not the previous after-state. */
function rationalePart(
  run: RunView,
  { afterSha256, beforeSha256, between }: StepView,
  { rationaleOf, textBytes }: RunContext,
): HtmlValue {
  const after = rationaleOf(run, afterSha256);
  const before = between === undefined ? undefined : rationaleOf(run, beforeSha256);
  return [
    before !== undefined && rationaleMarkup("Rationale before this step", before, textBytes),
    after !== undefined && rationaleMarkup("Rationale after this step", after, textBytes),
  ];
}

/** Share of a step's text bytes that its rationale may take. */
const RATIONALE_SHARE = 0.5;

/** A rationale that can be opened. */
export function rationaleMarkup(title: string, text: string, textBytes: number): SafeHtml {
  const shown =
    text.trim() === ""
      ? markup`<p class="quiet">It came back empty.</p>`
      : markup`<p class="text" dir="auto">${boundedMarkup(text, { left: textBytes * RATIONALE_SHARE })}</p>`;
  return markup`<details class="rationale"><summary>${title}</summary>${shown}</details>`;
}
