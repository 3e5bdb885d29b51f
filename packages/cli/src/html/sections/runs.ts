import type { CollectedRuns } from "../collect/collect-runs.ts";
import { gainLevel, type GainLevel, type GainScale } from "../collect/gain-scale.ts";
import type { RunView, StepView } from "../collect/run-view.ts";
import { boundedMarkup } from "../markup/bounded-text.ts";
import { foreign, plural } from "../markup/foreign.ts";
import { joined, markup, type HtmlValue, type SafeHtml } from "../markup/markup.ts";
import { count, signedNumber, signedText } from "../markup/number.ts";
import { runAnchor, stepAnchor } from "./anchors.ts";
import { targetMark } from "./beliefs.ts";
import { signClass } from "./gain-element.ts";
import type { RunContext } from "./run-context.ts";
import { stateMarkup } from "./state-change.ts";
import { rationaleMarkup, stepCard } from "./step-card.ts";

/** Candidates of a task listed with a run. */
const MOST_CANDIDATES = 12;

/** The runs, one at a time, each closed until somebody wants it. */
export function* runsSection(runs: CollectedRuns, context: RunContext): Generator<SafeHtml> {
  yield markup`<section id="runs" aria-labelledby="runs-title">
<h2 id="runs-title">Run by run</h2>
<p class="intro">Each run is a strip of its steps; open it to see what every step did to state and belief.
${sampleNote(runs)}</p>
${stripLegend(context.scale)}
`;
  for (const run of runs.shown) yield runBlock(run, context);
  yield markup`</section>
`;
}

/** How many runs and steps are shown, and which, where it is not all of them. */
export function sampleNote({ shown, runs, steps, sample }: CollectedRuns): HtmlValue {
  const shownSteps = shown.reduce((sum, run) => sum + run.steps.length, 0);
  if (shown.length === runs && shownSteps === steps) return undefined;
  const which =
    shown.length < runs &&
    `, drawn at random (seed ${sample.seed}), and in any case the runs of the worst and best steps`;
  const long =
    shown.some((run) => run.steps.length < run.totals.steps) &&
    " Of a very long run the first and last steps are shown, the labelled ones, and those that moved most.";
  return markup`<strong class="sample">A sample: ${count(shown.length)} of ${plural(runs, "run")} and
${count(shownSteps)} of ${plural(steps, "step")}</strong>${which}.${long} Summary and figures are about all of them;
<code>asv report --out</code> writes every step.`;
}

const legendLevels: readonly (readonly [levels: readonly GainLevel[], name: string])[] = [
  [["n3", "n2", "n1"], "away"],
  [["z"], "unmoved"],
  [["p1", "p2", "p3"], "toward the target"],
  [["u"], "no gain known"],
];

function stripLegend({ second, third }: GainScale): SafeHtml {
  const keys = legendLevels.map(([levels, name]) => {
    const cells = levels.map((level) => markup`<i class="cell ${level}"></i>`);
    return markup`<span class="key">${cells} ${name}</span>
`;
  });
  return markup`<p class="legend strip-legend">${keys}
<span class="key-note">Stronger from ${second.toFixed(3)} and ${third.toFixed(3)} nats</span></p>`;
}

/** One run with its steps. */
export function runBlock(run: RunView, context: RunContext): SafeHtml {
  const { number, trajectoryId, question, steps, totals } = run;
  const gain = totals.meanMarginGain;
  return markup`<details class="run" id="${runAnchor(number)}">
<summary><h3>${foreign(trajectoryId, 60)}</h3>
<span class="question">${foreign(question, 140)}</span> ${miniStrip(steps, context.scale)}
<span class="run-gain ${signClass(gain, context.scale)}">${signedNumber(gain)}</span>
<span class="run-facts">${runFacts(run)}</span></summary>
<div class="run-body">
<p class="full-question" dir="auto">${boundedMarkup(question, { left: 1200 })}</p>
${candidateList(run)}
${strip(run, context.scale)}
${initialState(run, context)}
${stepsWithGaps(run, context)}</div></details>
`;
}

function runFacts({ totals, status, success }: RunView): SafeHtml {
  const { steps, measured, damage, repair } = totals;
  const parts: HtmlValue[] = [plural(steps, "step")];
  if (measured < steps) parts.push([count(measured), " measured"]);
  if (damage > 0) parts.push(markup`<span class="neg">${count(damage)} damage</span>`);
  if (repair > 0) parts.push(markup`<span class="pos">${count(repair)} repair</span>`);
  if (success !== undefined) parts.push(success ? "run succeeded" : "run failed");
  if (status !== undefined && !status.startsWith("complete")) parts.push(foreign(status, 24));
  return joined(parts, " · ");
}

/** The run at a glance, for the eye alone: the words beside it and the strip inside say the same. */
function miniStrip(steps: readonly StepView[], scale: GainScale): SafeHtml {
  const cells = steps.map(({ measured }) => {
    return markup`<i class="${gainLevel(measured.diagnostics?.marginGain, scale)}"></i>`;
  });
  return markup`<span class="mini" aria-hidden="true">${cells}</span>`;
}

function strip({ number, steps }: RunView, scale: GainScale): SafeHtml {
  const cells = steps.map(({ place, measured, verdict }) => {
    const gain = measured.diagnostics?.marginGain;
    const name = markup`<small>${measured.index}</small> ${foreign(measured.action, 22)}`;
    const labelled = verdict !== undefined && markup`<em>labelled</em>`;
    return markup`<li><a class="${gainLevel(gain, scale)}" href="#${stepAnchor(number, place)}">${name}
<b>${gain === undefined ? "–" : signedText(gain)}</b>${labelled}</a></li>
`;
  });
  return markup`<ol class="strip" aria-label="Steps">${cells}</ol>`;
}

function candidateList({ candidates }: RunView): SafeHtml {
  const rest = candidates.length - MOST_CANDIDATES;
  const items = candidates.slice(0, MOST_CANDIDATES).map(
    ({ id, text, isTarget }) =>
      markup`<li><code>${foreign(id, 32)}</code> <bdi>${boundedMarkup(text, { left: 400 })}</bdi>${isTarget && targetMark}</li>
`,
  );
  if (rest > 0) items.push(markup`<li class="quiet">${plural(rest, "more candidate")}</li>`);
  return markup`<ul class="candidates" aria-label="Candidates">${items}</ul>`;
}

function initialState(run: RunView, context: RunContext): HtmlValue {
  const rationale = context.rationaleOf(run, run.initialSha256);
  return [
    markup`<details class="more"><summary>State before the first step</summary>
${stateMarkup(run.initial, { left: context.textBytes })}</details>`,
    rationale !== undefined &&
      rationaleMarkup("Rationale before the first step", rationale, context.textBytes),
  ];
}

/** The steps; where a long run leaves some out, it says how many. */
function stepsWithGaps(run: RunView, context: RunContext): HtmlValue[] {
  const parts: HtmlValue[] = [];
  let next = 0;
  for (const step of run.steps) {
    if (step.place > next) parts.push(gap(step.place - next));
    parts.push(stepCard(run, step, context));
    next = step.place + 1;
  }
  if (run.totals.steps > next) parts.push(gap(run.totals.steps - next));
  return parts;
}

function gap(steps: number): SafeHtml {
  return markup`<p class="gap">${plural(steps, "step")} with smaller movement not shown</p>`;
}
