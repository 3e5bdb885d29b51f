import { foreign, plural } from "../markup/foreign.ts";
import { joined, markup, type HtmlValue, type SafeHtml } from "../markup/markup.ts";
import { count } from "../markup/number.ts";
import type { ReportInput } from "../report-input.ts";
import { protocolParts } from "../words/protocol-words.ts";
import { keyNumbers } from "./key-numbers.ts";
import { trustItems } from "./trust-items.ts";

/** The first screen: numbers, what they are about, how they came about, how far they go. */
export function overview(input: ReportInput): SafeHtml {
  const { counts } = input.channel.summary;
  return markup`<section id="overview" aria-labelledby="overview-title">
<h2 id="overview-title" class="visually-hidden">Overview</h2>
${keyNumbers(input)}
<div class="cards">
${card("What was measured", measuredFacts(input))}
${card("With which protocol", protocolFacts(input))}
${card("How much to trust it", trustList(input))}
</div>
${counts.measured === 0 && nothingMeasured}</section>
`;
}

const nothingMeasured = markup`<p class="callout">Nothing could be measured, so there are no figures below. The
flags of the steps say why.</p>
`;

function card(title: string, body: HtmlValue): SafeHtml {
  return markup`<div class="card"><h3>${title}</h3>${body}</div>`;
}

/** Names and values as a list of descriptions. */
function facts(rows: readonly (readonly [HtmlValue, HtmlValue])[]): SafeHtml {
  const items = rows.map(
    ([name, value]) => markup`<dt>${name}</dt><dd>${value}</dd>
`,
  );
  return markup`<dl class="facts">${items}</dl>`;
}

function measuredFacts({ channel: { summary }, runs, sources }: ReportInput): SafeHtml {
  const { counts } = summary;
  const open = counts.partialTrajectories;
  const rows: [HtmlValue, HtmlValue][] = [
    ["Runs", [count(counts.trajectories), open > 0 && markup`, ${count(open)} never closed`]],
    ["Steps", count(counts.steps)],
    ["Step types", count(summary.stepTypes.length)],
    ["Measured", plural(counts.measured, "step")],
    ["States", [count(counts.states), ", two a step"]],
  ];
  if (counts.withMargin < counts.measured) rows.push(["With a target", count(counts.withMargin)]);
  if (counts.unscored > 0)
    rows.push(["Not measured", markup`<strong>${plural(counts.unscored, "step")}</strong>`]);
  if (counts.filteredOut > 0) rows.push(["Filtered out", count(counts.filteredOut)]);
  rows.push(["Candidates", [sizesText([...runs.candidateCounts.keys()]), " a task"]]);
  rows.push(["Files", sourceList(sources)]);
  return facts(rows);
}

/** More names than this are counted. */
const MOST_NAMES = 4;

function sourceList(sources: readonly string[]): SafeHtml {
  const named = sources.slice(0, MOST_NAMES).map((name) => markup`<code>${foreign(name, 60)}</code>`);
  const rest = sources.length - named.length;
  return markup`${joined(named, markup`<br>`)}${rest > 0 && ` and ${rest} more`}`;
}

function sizesText(sizes: readonly number[]): string {
  const sorted = sizes.toSorted((a, b) => a - b);
  return sorted.length > 4 ? `${sorted[0]} to ${sorted.at(-1)}` : sorted.join(" or ") || "–";
}

function protocolFacts({ channel: { protocol, protocolId } }: ReportInput): SafeHtml {
  if (protocol === undefined) {
    return markup`<p>The scores stored in the trajectories. Nobody wrote down how they were made, so they cannot be
compared with any other measurement.</p>`;
  }
  const parts = protocolParts(protocol).map(({ symbol, name, words }): [HtmlValue, HtmlValue] => [
    markup`${name} <span class="symbol">${symbol}</span>`,
    markup`<bdi>${words}</bdi>`,
  ]);
  return facts([...parts, ["Id", markup`<code>${protocolId}</code>`]]);
}

function trustList(input: ReportInput): SafeHtml {
  const items = trustItems(input).map(
    ({ level, text }) => markup`<li class="${level}">${text}</li>
`,
  );
  return markup`<ul class="trust">${items}</ul>
<p class="to-more"><a href="#trust">How far the numbers go</a></p>`;
}
