import { mean, show, spreadOf } from "../figures.ts";
import type { ComparisonJson, EstimateJson } from "./comparison-json.ts";
import type { OwnGain, ScoreLine } from "./own-gains.ts";
import type { ChannelScoring } from "./score-channels.ts";

export interface MeasuredChannel {
  comparison: ComparisonJson;
  scores: readonly ScoreLine[];
  scoring: ChannelScoring;
  /** Differences of gains between two measurements; undefined where the second would be another channel's. */
  noise: readonly number[] | undefined;
}

/** What the channels gave, with nothing left out because it looks bad. */
export function channelTable(measured: readonly MeasuredChannel[]): string {
  const rows = measured.map(({ comparison: { a, all }, scores, scoring, noise }) => [
    a.name,
    withInterval(all.a),
    withInterval(all.signed),
    number(all.absolute.mean),
    `${all.sign_disagreement.disagree}/${all.sign_disagreement.both_moved}`,
    `${all.damage.a.count}/${all.repair.a.count}`,
    number(a.layout_spread?.median),
    show(mean(scores.map(({ label_mass }) => label_mass ?? 0))),
    noise === undefined ? "as its namesake" : spreadOf(noise),
    `${scoring.outcome.calls} in ${scoring.seconds.toFixed(0)} s`,
  ]);
  const titles = [
    "channel",
    "mean G",
    "effect, G − G(direct)",
    "absolute",
    "signs differ",
    "damage/repair",
    "layout spread",
    "label mass",
    "repeat noise of G",
    "calls",
  ];
  const all = [titles, ...rows];
  const widths = titles.map((_, i) => Math.max(...all.map((row) => row[i]!.length)));
  return all
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Differences between a first and a second measurement of the same steps, nats. */
export function repeatNoise(first: readonly OwnGain[], second: readonly OwnGain[]): number[] {
  return second.flatMap(({ trajectoryId, stepId, gain }) => {
    const same = first.find((step) => step.trajectoryId === trajectoryId && step.stepId === stepId);
    return same === undefined ? [] : [gain - same.gain];
  });
}

function withInterval({ mean: value, interval }: EstimateJson): string {
  const ends = interval === undefined ? "" : ` [${number(interval.low)}, ${number(interval.high)}]`;
  return `${number(value)}${ends}`;
}

function number(value: number | undefined): string {
  return value === undefined ? "–" : value.toFixed(3);
}
