import type { HumanLabels } from "@agent-step-value/sdk";
import { percent, plain } from "../terminal/number.ts";

type Ranking = NonNullable<HumanLabels["byMarginGain"]>;
type Positions = HumanLabels["positions"];

/**
 * Human step labels against the measurement, in lines. What positions alone give stands once where every
 * label was ranked, and else with each ranking, over the trajectories that ranking is about.
 */
export function humanLabelText(labels: HumanLabels): string[] {
  const left = labels.severalLabels > 0 ? `; ${labels.severalLabels} with several labels left out` : "";
  const lines = [`human step labels: ${labels.trajectories} trajectories with one labelled step${left}`];
  const rankings = [
    ["lowest margin gain first", labels.byMarginGain],
    ["largest surprise first", labels.bySurprise],
  ] as const;
  const shared = rankings.every(([, ranking]) => ranking === undefined || ranking.unranked === 0);
  if (shared) lines.push(...positionText(labels.positions).map((line) => `  ${line}`));
  for (const [name, ranking] of rankings) {
    if (ranking === undefined) {
      lines.push(`  ${name}: no labelled step can be ranked`);
      continue;
    }
    lines.push(...rankingText(name, ranking));
    if (shared) continue;
    if (ranking.unranked > 0) lines.push(`    ${ranking.unranked} labelled steps could not be ranked`);
    const [looking, earliest] = positionText(ranking.positions);
    lines.push(`    on the same ${ranking.trajectories}, ${looking}`);
    if (earliest !== undefined) lines.push(`    on the same ${ranking.trajectories}, ${earliest}`);
  }
  return lines;
}

function rankingText(name: string, ranking: Ranking): string[] {
  const { random, hits } = ranking;
  return [
    `  ${name}: mean rank ${plain(ranking.meanRank)} (0 best; chance ${plain(random.low)} to ${plain(random.high)}, ` +
      `${random.method.replace("_", " ")}, ${pValue(random.pValueTwoSided)}), MRR ${plain(ranking.meanReciprocalRank)}`,
    ...hits.map(
      (hit) =>
        `    hit@${hit.k} ${percent(hit.rate)} (${hit.hits.toFixed(1)} of ${ranking.trajectories}; chance ${percent(hit.expectedRate)}, ` +
        `95 % up to ${hit.upper95}, 99 % up to ${hit.upper99})`,
    ),
  ];
}

function positionText({ uniformRate, alwaysFirst, alwaysSecond, best, earliestFirst }: Positions): string[] {
  const lines = [
    `without looking: a random step ${percent(uniformRate)}, always step 0 ${percent(alwaysFirst.rate)}, ` +
      `always step 1 ${percent(alwaysSecond.rate)}, best constant ${percent(best.rate)} (step ${best.step})`,
  ];
  if (earliestFirst !== undefined) {
    const rates = earliestFirst.hits.map(({ k, rate }) => `hit@${k} ${percent(rate)}`);
    lines.push(`earliest step first: mean rank ${plain(earliestFirst.meanRank)}, ${rates.join(", ")}`);
  }
  return lines;
}

function pValue(p: number): string {
  return p < 0.001 ? "p < 0.001" : `p = ${plain(p)}`;
}
