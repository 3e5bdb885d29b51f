import type { QualityFlag, Summary } from "@agent-step-value/sdk";
import { markup, type HtmlValue, type SafeHtml } from "../markup/markup.ts";
import { count } from "../markup/number.ts";
import { dataTable, type TableColumn } from "../markup/table.ts";
import type { ReportInput } from "../report-input.ts";
import { FLAG_MEANINGS, flagWords, raisedFlags } from "../words/flag-meanings.ts";
import { floorNote, surpriseProbe, temperatureProbe } from "./probes.ts";
import { robustness } from "./robustness.ts";
import { section } from "./section.ts";

/** Flags, robustness, and what no report of this kind can say. */
export function trustSection(input: ReportInput): SafeHtml {
  const { flags, floors, temperatures, surprises } = input.channel.summary;
  return section(
    "trust",
    "How far the numbers go",
    robustness(input),
    flagTable(flags),
    floorNote(floors),
    temperatureProbe(temperatures),
    surpriseProbe(surprises),
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
    markup`<h3 id="flags">Quality flags</h3>`,
    raised.length === 0
      ? markup`<p>No step carries one.</p>`
      : dataTable(
          { id: "flags-caption", caption: "Steps by flag; a step can carry several" },
          flagColumns,
          raised,
        ),
  ];
}
