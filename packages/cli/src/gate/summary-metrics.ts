import type { CrossingRate, Estimate, StepTypeSummary, Summary } from "@agent-step-value/sdk";
import { flooredShare } from "../report/floored-share.ts";
import type { GateValue } from "./evaluate-gate.ts";

const estimate = ({ mean, interval, intervalAbsent }: Partial<Estimate>): GateValue => ({
  value: mean,
  interval,
  intervalAbsent,
});
const plain = (value: number | undefined): GateValue => ({ value });
const share = (count: number, of: number): GateValue => plain(of === 0 ? undefined : count / of);
const ofAll = ({ rate, interval }: CrossingRate): GateValue => ({ value: rate, interval });
const ofEligible = ({ rateOfEligible, intervalOfEligible }: CrossingRate): GateValue => ({
  value: rateOfEligible,
  interval: intervalOfEligible,
});
const variant = (summary: Summary, name: Summary["variants"][number]["name"]): GateValue =>
  estimate(summary.variants.find((one) => one.name === name) ?? {});

/** Numbers of a whole report that a gate may name. */
export const summaryMetrics: Readonly<Record<string, (summary: Summary) => GateValue>> = {
  mean_margin_gain: ({ marginGain }) => estimate(marginGain),
  trajectory_margin_gain: ({ marginGain }) => estimate(marginGain.trajectoryWeighted),
  clean_margin_gain: (summary) => variant(summary, "clean"),
  no_floor_margin_gain: (summary) => variant(summary, "no_floor_steps"),
  positive_rate: ({ marginGain: { positive }, counts }) => share(positive, counts.withMargin),
  negative_rate: ({ marginGain: { negative }, counts }) => share(negative, counts.withMargin),
  damage_rate: ({ marginGain }) => ofAll(marginGain.damage),
  damage_rate_of_eligible: ({ marginGain }) => ofEligible(marginGain.damage),
  repair_rate: ({ marginGain }) => ofAll(marginGain.repair),
  repair_rate_of_eligible: ({ marginGain }) => ofEligible(marginGain.repair),
  mean_surprise: ({ surprise }) => plain(surprise?.mean),
  max_surprise: ({ surprise }) => plain(surprise?.max),
  mean_entropy_movement: ({ entropyMovement }) => plain(entropyMovement?.mean),
  mean_layout_spread: ({ layoutSpread }) => plain(layoutSpread?.mean),
  max_layout_spread: ({ layoutSpread }) => plain(layoutSpread?.max),
  floor_rate: (summary) => plain(flooredShare(summary)),
  trajectories: ({ counts }) => plain(counts.trajectories),
  steps: ({ counts }) => plain(counts.steps),
  unscored: ({ counts }) => plain(counts.unscored),
  unscored_rate: ({ counts }) => share(counts.unscored, counts.steps),
};

/** Numbers of one step type, `metric(step type)`. */
export const stepTypeMetrics: Readonly<Record<string, (type: StepTypeSummary) => GateValue>> = {
  mean_margin_gain: estimate,
  median_margin_gain: ({ median }) => plain(median),
  positive_rate: ({ positive, steps }) => share(positive, steps),
  negative_rate: ({ negative, steps }) => share(negative, steps),
  damage_rate: ({ damage }) => ofAll(damage),
  damage_rate_of_eligible: ({ damage }) => ofEligible(damage),
  repair_rate: ({ repair }) => ofAll(repair),
  repair_rate_of_eligible: ({ repair }) => ofEligible(repair),
  mean_surprise: ({ meanSurprise }) => plain(meanSurprise),
  steps: ({ allSteps }) => plain(allSteps),
  unscored: ({ allSteps, measured }) => plain(allSteps - measured),
};
