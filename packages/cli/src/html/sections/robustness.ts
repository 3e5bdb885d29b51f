import type { VariantSummary } from "@agent-step-value/sdk";
import { foreign } from "../markup/foreign.ts";
import { joined, markup, type HtmlValue } from "../markup/markup.ts";
import { count, plainNumber, signedNumber } from "../markup/number.ts";
import { dataTable, type TableColumn } from "../markup/table.ts";
import type { ReportInput } from "../report-input.ts";
import { intervalOf } from "../words/estimate-words.ts";

interface RobustnessRow {
  name: string;
  steps: number;
  mean: number | undefined;
  interval: HtmlValue;
}

const variantNames: Readonly<Record<VariantSummary["name"], string>> = {
  no_floor_steps: "Without steps that hit the floor",
  no_leak_trajectories: "Without runs that have a leaking rationale",
  clean: "Clean steps only",
};

const columns: readonly TableColumn<RobustnessRow>[] = [
  { title: "Selection", kind: "rowHeader", cell: ({ name }) => name },
  { title: "Steps", kind: "number", cell: ({ steps }) => count(steps) },
  { title: "Mean gain", kind: "number", cell: ({ mean }) => signedNumber(mean) },
  { title: "95 % interval", kind: "number", cell: ({ interval }) => interval },
];

/** The mean over other selections of steps, without any one run, and over label layouts. */
export function robustness({ channel: { summary, protocol } }: ReportInput): HtmlValue {
  const { marginGain, variants, layoutSpread } = summary;
  if (marginGain.mean === undefined) return undefined;
  const { trajectoryWeighted, leaveOneOut: left, trajectories } = marginGain;
  const effective = variants.filter(({ excludedSteps }) => excludedSteps > 0);
  const idle = variants.filter(({ excludedSteps }) => excludedSteps === 0);
  const rows: RobustnessRow[] = [
    { name: "All steps", steps: marginGain.steps, mean: marginGain.mean, interval: intervalOf(marginGain) },
    {
      name: "Each run once, however long",
      steps: marginGain.steps,
      mean: trajectoryWeighted.mean,
      interval: intervalOf({ ...trajectoryWeighted, trajectories }),
    },
    ...effective.map((variant) => ({
      name: variantNames[variant.name],
      steps: variant.steps,
      mean: variant.mean,
      interval: intervalOf(variant),
    })),
  ];
  const names = idle.map(({ name }) => markup`“${variantNames[name].toLowerCase()}”`);
  const spread = protocol !== undefined && protocol.mappings.count > 1 ? layoutSpread : undefined;
  return [
    markup`<h3>Does the mean hold?</h3>`,
    dataTable(
      { id: "robustness-caption", caption: "Mean margin gain over different selections (nats)" },
      columns,
      rows,
    ),
    names.length > 0 &&
      markup`<p class="note">${joined(names, ", ", " and ")} would leave nothing out here.</p>`,
    left !== undefined &&
      markup`<p>Leaving out one run at a time, the mean goes from ${signedNumber(left.min)} (without
${foreign(left.minWithout, 40)}) to ${signedNumber(left.max)} (without ${foreign(left.maxWithout, 40)}).</p>`,
    spread !== undefined &&
      markup`<p>Over the label layouts of a step the gain spreads by ${plainNumber(spread.mean)} nats on average,
median ${plainNumber(spread.median)}, at most ${plainNumber(spread.max)} (${count(spread.steps)} steps).</p>`,
  ];
}
