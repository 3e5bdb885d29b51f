import { foreign, plural } from "../markup/foreign.ts";
import { markup, type SafeHtml } from "../markup/markup.ts";
import type { ReportInput } from "../report-input.ts";
import { intervalOf } from "../words/estimate-words.ts";
import { headline } from "../words/finding.ts";
import { cautionList } from "./section.ts";

/** A part of the page that the contents name. */
export interface ContentsEntry {
  id: string;
  name: string;
}

/** Contents, what was found, and what must be known before a number is believed. */
export function pageHead({ channel }: ReportInput, contents: readonly ContentsEntry[]): SafeHtml {
  const { summary, cautions } = channel;
  const { counts, marginGain } = summary;
  const known = marginGain.interval !== undefined && "95 % interval ";
  const interval = marginGain.mean !== undefined && markup`; ${known}${intervalOf(marginGain)}`;
  const partly = marginGain.mean !== undefined && marginGain.steps < counts.steps;
  const measured =
    partly &&
    markup`. The mean is of the <strong>${plural(marginGain.steps, "step")}</strong> in
${plural(marginGain.trajectories, "run")} that ${marginGain.steps === 1 ? "has" : "have"} a gain`;
  const links = contents.map(
    ({ id, name }) => markup`<li><a href="#${id}">${name}</a></li>
`,
  );
  return markup`<header class="top">
<div class="top-bar"><p class="eyebrow">Agent Step Value report</p>
<nav aria-label="Contents"><ul>${links}</ul></nav></div>
<h1>${headline(summary)}</h1>
<p class="lead">${plural(counts.trajectories, "run")} with ${plural(counts.steps, "step")}, replayed through the
channel <strong>${foreign(channel.name)}</strong>${measured}${interval}.</p>
${cautionList(cautions)}</header>
`;
}
