import {
  entropyBlindness,
  MOVED_BELIEF,
  STILL_ENTROPY,
  type EntropyBlindness,
} from "../collect/entropy-blindness.ts";
import { commonCeiling } from "../collect/surprise-ceiling.ts";
import { plural } from "../markup/foreign.ts";
import { joined, markup, type HtmlValue, type SafeHtml } from "../markup/markup.ts";
import { count, percentage, plainNumber, signedNumber } from "../markup/number.ts";
import { movementLegend, movementPlot } from "../plots/movement-plot.ts";
import type { PlotMaker } from "../plots/plot-maker.ts";
import type { ReportInput } from "../report-input.ts";
import { figure, section } from "./section.ts";

/** Said on the first screen where entropy movement alone would have missed what happened (paper section 5.2). */
export function pivotCallout({ channel: { summary }, runs }: ReportInput): HtmlValue {
  const found = entropyBlindness(runs.points);
  if (found.missed === 0) return undefined;
  const { surprise, entropyMovement } = summary;
  const ceiling = commonCeiling(runs.candidateCounts);
  const most = ceiling !== undefined && markup`, where ${plainNumber(ceiling)} is the most that can be`;
  const share = percentage(found.missed / runs.points.length);
  return markup`<div class="callout" id="entropy-misses">
<h3>Entropy misses ${plural(found.missed, "pivot")}</h3>
<p>In <strong>${count(found.missed)}</strong> of ${plural(runs.points.length, "step")} (${share}) the evaluator
changed its mind and was as certain after as before: surprise of ${MOVED_BELIEF} nat or more, entropy movement
below ${STILL_ENTROPY}. ${directions(found)} Over all steps entropy movement is
<strong>${signedNumber(entropyMovement?.mean)}</strong> on average; surprise is
<strong>${plainNumber(surprise?.mean)}</strong> on average and <strong>${plainNumber(surprise?.max)}</strong> at
most${most}. Uncertainty alone would have shown nothing here. <a href="#movement">See the figure</a>.</p></div>
`;
}

function directions({ toTarget, fromTarget, betweenOthers, untargeted }: EntropyBlindness): HtmlValue {
  if (untargeted > 0 && toTarget + fromTarget + betweenOthers === 0) {
    return "No target is known, so nobody can say which way.";
  }
  const parts: SafeHtml[] = [];
  if (toTarget > 0) parts.push(markup`<span class="pos">${count(toTarget)} to the target</span>`);
  if (fromTarget > 0) parts.push(markup`<span class="neg">${count(fromTarget)} away from it</span>`);
  if (betweenOthers > 0) parts.push(markup`${count(betweenOthers)} between other candidates`);
  if (untargeted > 0) parts.push(markup`${count(untargeted)} without a known target`);
  return markup`Of these, ${joined(parts, ", ", " and ")}.`;
}

/** Surprise against entropy movement. */
export function movementSection(input: ReportInput, maker: PlotMaker): HtmlValue {
  const { channel, runs } = input;
  const { zeroTolerance } = channel.summary;
  if (runs.points.length === 0) return undefined;
  const { pivots, missed } = entropyBlindness(runs.points);
  const ceiling = commonCeiling(runs.candidateCounts);
  return section(
    "movement",
    "Surprise against entropy movement",
    markup`<p class="intro">Entropy movement says whether the evaluator became more certain, surprise whether it
believes something else. The first choice changed in ${plural(pivots, "step")}. In ${count(missed)} of these surprise
was ${MOVED_BELIEF} nat or more and entropy stood still.</p>
`,
    figure(
      "All measured steps. Where many fall together they are one larger mark. A mark far up on the vertical line is a change of mind that uncertainty does not show.",
      movementLegend,
      movementPlot(maker, runs.points, { zeroTolerance, ceiling }),
    ),
  );
}
