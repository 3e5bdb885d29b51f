import { gainScale } from "./collect/gain-scale.ts";
import { rationaleKey, type RunView } from "./collect/run-view.ts";
import { markup, ownMarkup, type HtmlValue, type SafeHtml } from "./markup/markup.ts";
import { shortText } from "./markup/visible-text.ts";
import { createPlotMaker } from "./plots/plot-maker.ts";
import type { ReportInput } from "./report-input.ts";
import { stepAnchors } from "./sections/anchors.ts";
import { auditSection } from "./sections/audit.ts";
import { channelSection } from "./sections/channels.ts";
import { extremesSection } from "./sections/extremes.ts";
import { humanLabelSection } from "./sections/human-labels.ts";
import { movementSection, pivotCallout } from "./sections/pivots.ts";
import { overview } from "./sections/overview.ts";
import { pageHead } from "./sections/page-head.ts";
import type { RunContext } from "./sections/run-context.ts";
import { runsSection } from "./sections/runs.ts";
import { stepTableSection } from "./sections/step-table.ts";
import { stepTypeSection } from "./sections/step-types.ts";
import { stepDetail } from "./sections/text-bytes.ts";
import { trustSection } from "./sections/trust.ts";
import { STYLE } from "./style/index.ts";

/**
 * The report as one HTML file, in pieces to be written one after the other. It asks for nothing: no
 * script, no font, no image, no address; its policy forbids all of them. The same input gives the same
 * bytes.
 */
export async function* renderReport(input: ReportInput): AsyncGenerator<string> {
  const maker = await createPlotMaker();
  const anchors = stepAnchors(input.runs);
  const parts: readonly Part[] = [
    ["channels", "Channels", channelSection(input, maker, anchors)],
    ["step-types", "Step types", stepTypeSection(input, maker)],
    ["movement", "Surprise", movementSection(input, maker)],
    ["audit", "Audit", auditSection(input)],
    ["extremes", "Worst and best", extremesSection(input, anchors)],
    ["labels", "Human labels", humanLabelSection(input)],
    ["trust", "Trust", trustSection(input)],
  ];
  const hasRuns = input.runs.shown.length > 0;
  const contents = parts.filter(([, , part]) => part).map(([id, name]) => ({ id, name }));
  if (hasRuns) contents.push({ id: "runs", name: "Runs" }, { id: "steps", name: "All steps" });
  const top = markup`${documentHead(input)}${pageHead(input, contents)}<main id="main">
${overview(input)}${pivotCallout(input)}${parts.map(([, , part]) => part)}`.toString();
  yield top;
  if (hasRuns) {
    const context = runContext(input, Buffer.byteLength(top));
    for (const part of runsSection(input.runs, context)) yield part.toString();
    for (const part of stepTableSection(input.runs, context)) yield part.toString();
  }
  yield documentFoot(input).toString();
}

/** Forbids every request and every script, whatever a text of a run might bring with it. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

type Part = readonly [id: string, name: string, section: HtmlValue];

function documentHead({ channel, sources }: ReportInput): SafeHtml {
  const title = `${shortText(channel.name, 40)}: ${sources
    .slice(0, 2)
    .map((name) => shortText(name, 40))
    .join(", ")}`;
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${ownMarkup(POLICY)}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Agent Step Value report, ${title}</title>
<style>${ownMarkup(STYLE)}</style></head>
<body><a class="skip" href="#main">Skip to the report</a><div class="page">
`;
}

function documentFoot({ generator }: ReportInput): SafeHtml {
  return markup`</main>
<footer><p>Written by ${generator}. This file is complete in itself: it loads nothing and runs nothing. The redaction
rules ran once more over states, questions, candidates, rationales and labels before they were written here. How to read it:
<cite>docs/reading-a-report.md</cite> of the toolkit.</p></footer>
</div></body></html>
`;
}

/** @param taken bytes of everything before the runs */
function runContext({ channel, others = [], runs, rationales }: ReportInput, taken: number): RunContext {
  const context = {
    scale: gainScale(runs.points, channel.summary.zeroTolerance),
    layouts: channel.protocol?.mappings.count ?? 1,
    channelNames: others.map(({ name }) => name),
    rationaleOf: ({ taskId, candidateSetSha256 }: RunView, state: string | undefined) =>
      state === undefined ? undefined : rationales?.get(rationaleKey(taskId, candidateSetSha256, state)),
  };
  const hasRationales = rationales !== undefined && rationales.size > 0;
  return { ...context, ...stepDetail(runs, context, { taken, rationales: hasRationales }) };
}
