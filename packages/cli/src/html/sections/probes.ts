import type { FloorSummary, SurpriseSummary, TemperatureSummary } from "@agent-step-value/sdk";
import { plural } from "../markup/foreign.ts";
import { markup, type HtmlValue } from "../markup/markup.ts";
import { count, percentage, plainNumber, signedNumber } from "../markup/number.ts";
import { dataTable, type TableColumn } from "../markup/table.ts";

const temperatureColumns: readonly TableColumn<TemperatureSummary>[] = [
  { title: "τ", kind: "rowHeader", cell: ({ tau }) => String(tau) },
  { title: "Steps", kind: "number", cell: ({ steps }) => count(steps) },
  {
    title: "Mean entropy movement",
    kind: "number",
    cell: ({ meanEntropyMovement }) => signedNumber(meanEntropyMovement),
  },
  { title: "Steps that moved", kind: "number", cell: ({ movedRate }) => percentage(movedRate) },
  { title: "Top belief before", kind: "number", cell: ({ meanTopBefore }) => plainNumber(meanTopBefore) },
  { title: "Top belief after", kind: "number", cell: ({ meanTopAfter }) => plainNumber(meanTopAfter) },
];

/** Entropy movement had the scores been flatter (paper section 5.2). */
export function temperatureProbe(temperatures: readonly TemperatureSummary[] = []): HtmlValue {
  if (temperatures.length === 0) return undefined;
  return markup`<h3>Temperature probe</h3>
<p>Beliefs recomputed from scores divided by τ: how much of the certainty is the scale of the scores.</p>
${dataTable(
  { id: "temperature-caption", caption: "Entropy movement at other temperatures (nats)" },
  temperatureColumns,
  temperatures,
)}`;
}

const surpriseColumns: readonly TableColumn<SurpriseSummary>[] = [
  { title: "ε", kind: "rowHeader", cell: ({ epsilon }) => epsilon.toExponential() },
  { title: "Steps", kind: "number", cell: ({ steps }) => count(steps) },
  { title: "Mean surprise", kind: "number", cell: ({ mean }) => plainNumber(mean) },
  { title: "Largest", kind: "number", cell: ({ max }) => plainNumber(max) },
];

/** Surprise with other weights of its uniform part, on which its ceiling depends. */
export function surpriseProbe(surprises: readonly SurpriseSummary[] = []): HtmlValue {
  if (surprises.length === 0) return undefined;
  return markup`<h3>Surprise and its smoothing</h3>
<p>Surprise of a near-certain change is set by ε alone, so compare it between reports of one ε only.</p>
${dataTable({ id: "surprise-caption", caption: "Surprise with other ε (nats)" }, surpriseColumns, surprises)}`;
}

/** What the steps rest on whose label was not listed. */
export function floorNote(floors: FloorSummary | undefined): HtmlValue {
  if (floors === undefined) return undefined;
  const { steps, open, signKnown, meanLow, meanHigh, sensitivity = [] } = floors;
  const bounds = boundsText(meanLow, meanHigh);
  const others = sensitivity.map(
    ({ floor, mean }) => markup`<li>floor ${signedNumber(floor)}: mean gain ${signedNumber(mean)}</li>`,
  );
  return markup`<h3>Floor scores</h3>
<p>${plural(steps, "step")} had a label that was not listed and got the floor score. Of these, ${count(open)}
${open === 1 ? "has a gain" : "have gains"} open on a side, and the sign of ${count(signKnown)} is known whatever the
label had. Whatever all of them had, the mean gain over all steps ${bounds}.</p>
${others.length > 0 && markup`<ul class="limits">${others}</ul>`}`;
}

function boundsText(low: number | undefined, high: number | undefined): HtmlValue {
  if (low !== undefined && high !== undefined) {
    return markup`lies between ${signedNumber(low)} and ${signedNumber(high)}`;
  }
  if (low !== undefined) return markup`is at least ${signedNumber(low)}`;
  return high === undefined ? "has no bound" : markup`is at most ${signedNumber(high)}`;
}
