import type { HumanLabels } from "@agent-step-value/sdk";
import { percent, plain } from "../terminal/number.ts";

/** Human step labels against the measurement, in lines. */
export function humanLabelText(labels: HumanLabels): string[] {
  const { positions } = labels;
  const left = labels.severalLabels > 0 ? `; ${labels.severalLabels} with several labels left out` : "";
  const lines = [
    `human step labels: ${labels.trajectories} trajectories with one labelled step${left}`,
    `  without looking: a random step ${percent(positions.uniformRate)}, always step 0 ${percent(positions.alwaysFirst.rate)}, ` +
      `always step 1 ${percent(positions.alwaysSecond.rate)}, best constant ${percent(positions.best.rate)} (step ${positions.best.step})`,
  ];
  const { earliestFirst } = positions;
  if (earliestFirst !== undefined) {
    const rates = earliestFirst.hits.map(({ k, rate }) => `hit@${k} ${percent(rate)}`);
    lines.push(`  earliest step first: mean rank ${plain(earliestFirst.meanRank)}, ${rates.join(", ")}`);
  }
  for (const [name, ranking] of [
    ["lowest margin gain first", labels.byMarginGain],
    ["largest surprise first", labels.bySurprise],
  ] as const) {
    if (ranking === undefined) {
      lines.push(`  ${name}: no labelled step can be ranked`);
      continue;
    }
    const { random, hits } = ranking;
    lines.push(
      `  ${name}: mean rank ${plain(ranking.meanRank)} (0 best; chance ${plain(random.low)} to ${plain(random.high)}, ` +
        `${random.method.replace("_", " ")}, ${pValue(random.pValueTwoSided)}), MRR ${plain(ranking.meanReciprocalRank)}`,
    );
    for (const hit of hits) {
      lines.push(
        `    hit@${hit.k} ${percent(hit.rate)} (${hit.hits.toFixed(1)} of ${ranking.trajectories}; chance ${percent(hit.expectedRate)}, ` +
          `95 % up to ${hit.upper95}, 99 % up to ${hit.upper99})`,
      );
    }
    if (ranking.unranked > 0) lines.push(`    ${ranking.unranked} labelled steps could not be ranked`);
  }
  return lines;
}

function pValue(p: number): string {
  return p < 0.001 ? "p < 0.001" : `p = ${plain(p)}`;
}
