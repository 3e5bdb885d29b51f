import type { HumanLabels, LabelRanking } from "@agent-step-value/sdk";
import { plural } from "../markup/foreign.ts";
import { markup, type HtmlValue } from "../markup/markup.ts";
import { count, percentage, plainNumber } from "../markup/number.ts";
import { dataTable, type TableColumn } from "../markup/table.ts";
import type { ReportInput } from "../report-input.ts";
import { section } from "./section.ts";

interface RankRow {
  name: string;
  meanRank: number | undefined;
  chance: HtmlValue;
  hits: readonly HtmlValue[];
  runs: number;
}

const columns: readonly TableColumn<RankRow>[] = [
  { title: "Ranking of the labelled step within its run", kind: "rowHeader", cell: ({ name }) => name },
  { title: "Runs", kind: "number", cell: ({ runs }) => count(runs) },
  { title: "Mean rank (0 best)", kind: "number", cell: ({ meanRank }) => plainNumber(meanRank) },
  { title: "By chance", kind: "number", cell: ({ chance }) => chance },
  { title: "Hit@1", kind: "number", cell: ({ hits }) => hits[0] },
  { title: "Hit@2", kind: "number", cell: ({ hits }) => hits[1] },
  { title: "Hit@3", kind: "number", cell: ({ hits }) => hits[2] },
];

/** Human step labels against the measurement, chance and position. */
export function humanLabelSection({ channel: { summary } }: ReportInput): HtmlValue {
  const labels = summary.humanLabels;
  if (labels === undefined) return undefined;
  const unranked = labels.byMarginGain?.unranked ?? 0;
  const several = labels.severalLabels > 0 && `; ${labels.severalLabels} with several marks are left out`;
  return section(
    "labels",
    "Against human labels",
    markup`<p class="intro">In ${plural(labels.trajectories, "run")} people marked one step${several}. Does the
measurement rank it high?</p>`,
    dataTable({ id: "labels-caption", caption: "Rank of the labelled step" }, columns, rowsOf(labels)),
    markup`<p class="note">The last rows look at no state at all. A ranking that does no better than they do has found
positions, not mistakes; and one that does better may still follow something plain, such as the length of a
message. This is agreement with labels, no evidence that mistakes are found.${unranked > 0 && ` ${plural(unranked, "labelled step")} could not be ranked and ${unranked === 1 ? "is" : "are"} in no rate.`}</p>`,
  );
}

/** What positions alone give is about the very runs that were ranked, where any could be. */
function rowsOf({ byMarginGain, bySurprise, ...labels }: HumanLabels): RankRow[] {
  const { trajectories: runs, positions } = byMarginGain ?? bySurprise ?? labels;
  const { uniformRate, best, earliestFirst } = positions;
  const blind = { runs, meanRank: undefined, chance: undefined };
  return [
    ...rankRows("Lowest margin gain first", byMarginGain),
    ...rankRows("Largest surprise first", bySurprise),
    ...(earliestFirst === undefined
      ? []
      : [
          {
            ...blind,
            name: "Earliest step first, without looking",
            meanRank: earliestFirst.meanRank,
            hits: earliestFirst.hits.map(({ rate }) => percentage(rate)),
          },
        ]),
    {
      ...blind,
      name: `Always step ${best.step}, the best constant, without looking`,
      hits: [percentage(best.rate)],
    },
    { ...blind, name: "A step at random", meanRank: 0.5, hits: [percentage(uniformRate)] },
  ];
}

function rankRows(name: string, ranking: LabelRanking | undefined): RankRow[] {
  if (ranking === undefined) return [];
  const { random, trajectories, meanRank, hits } = ranking;
  return [
    {
      name,
      runs: trajectories,
      meanRank,
      chance: markup`${plainNumber(random.low)} to ${plainNumber(random.high)}`,
      hits: hits.map(
        (hit) =>
          markup`${percentage(hit.rate)} <small class="under">chance ${percentage(hit.expectedRate)}</small>`,
      ),
    },
  ];
}
