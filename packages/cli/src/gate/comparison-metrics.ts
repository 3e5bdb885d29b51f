import type { ChannelComparison, ChannelEffect, Estimate } from "@agent-step-value/sdk";
import type { GateValue } from "./evaluate-gate.ts";

const estimate = ({ mean, interval, intervalAbsent }: Estimate): GateValue => ({
  value: mean,
  interval,
  intervalAbsent,
});

const effects: Readonly<Record<string, (effect: ChannelEffect) => GateValue>> = {
  signed_effect: ({ signed }) => estimate(signed),
  absolute_effect: ({ absolute }) => estimate(absolute),
  sign_disagreement: ({ signDisagreement }) => estimate(signDisagreement.rate),
};

/** Numbers of a channel comparison that a gate may name, `metric(channel)` where there are several. */
export const comparisonMetrics: Readonly<Record<string, (comparison: ChannelComparison) => GateValue>> = {
  ...Object.fromEntries(
    Object.entries(effects).flatMap(([name, of]) => [
      [name, ({ all }: ChannelComparison) => of(all)],
      [`clean_${name}`, ({ clean }: ChannelComparison) => of(clean)],
    ]),
  ),
  mean_margin_gain: ({ a }) => estimate(a.marginGain),
  baseline_margin_gain: ({ b }) => estimate(b.marginGain),
  paired_rate: ({ coverage }) => ({
    value: coverage.transitions === 0 ? undefined : coverage.paired / coverage.transitions,
  }),
  pairs: ({ coverage }) => ({ value: coverage.paired }),
};
