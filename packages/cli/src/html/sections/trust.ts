import type { QualityFlag, Summary, TemperatureSummary } from "@agent-step-value/sdk";
import { markup, type HtmlValue, type SafeHtml } from "../markup/markup.ts";
import { count, percentage, plainNumber, signedNumber } from "../markup/number.ts";
import { dataTable, type TableColumn } from "../markup/table.ts";
import type { ReportInput } from "../report-input.ts";
import { FLAG_MEANINGS, flagWords, raisedFlags } from "../words/flag-meanings.ts";
import { robustness } from "./robustness.ts";
import { section } from "./section.ts";

/** Flags, robustness, and what no report of this kind can say. */
export function trustSection(input: ReportInput): SafeHtml {
  const { flags, temperatures } = input.channel.summary;
  return section(
    "trust",
    "How far the numbers go",
    robustness(input),
    flagTable(flags),
    temperatureTable(temperatures),
    limits,
  );
}

/** The limits that the paper's sections 6 and 7 name, whatever was measured. */
const limits = markup`<h3>What this report cannot say</h3>
<ul class="limits">
<li>It is a <strong>replay diagnosis, not a cause</strong>. A gain says how an evaluator's belief differs between
two frozen states, not what the run would have been without the step.</li>
<li>It is about <strong>one evaluator through one channel</strong>. A short rationale, another prompt or another
slice of the state can turn the sign of the same steps.</li>
<li>The target is one <strong>reviewed</strong> candidate of a fixed set. What is in no candidate cannot move any
number.</li>
<li>Where the evaluator is close to certain, means rest on <strong>a few full flips</strong>. Look at the steps
before believing a mean.</li>
<li>Use it to <strong>find where to look</strong>, together with the evidence, the candidates and a second channel.
It is no verdict on an agent, and none on a person.</li>
</ul>
`;

const flagColumns: readonly TableColumn<readonly [QualityFlag, number]>[] = [
  { title: "Flag", kind: "rowHeader", cell: ([flag]) => flagWords(flag) },
  { title: "Steps", kind: "number", cell: ([, steps]) => count(steps) },
  { title: "Meaning", cell: ([flag]) => FLAG_MEANINGS[flag] },
];

function flagTable(flags: Summary["flags"]): HtmlValue {
  const raised = raisedFlags(flags);
  return [
    markup`<h3>Quality flags</h3>`,
    raised.length === 0
      ? markup`<p>No step carries one.</p>`
      : dataTable(
          { id: "flags-caption", caption: "Steps by flag; a step can carry several" },
          flagColumns,
          raised,
        ),
  ];
}

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

function temperatureTable(temperatures: readonly TemperatureSummary[] | undefined): HtmlValue {
  if (temperatures === undefined || temperatures.length === 0) return undefined;
  return markup`<h3>Temperature probe</h3>
<p>Beliefs recomputed from scores divided by τ: how much of the certainty is the scale of the scores.</p>
${dataTable(
  { id: "temperature-caption", caption: "Entropy movement at other temperatures" },
  temperatureColumns,
  temperatures,
)}`;
}
