import type { StepMetrics } from "@agent-step-value/sdk";

/** A step value that goes out as an evaluation. */
export interface EvaluationMetric {
  /** `gen_ai.evaluation.name` */
  readonly name: string;
  /** True where above zero is better than below. */
  readonly directed: boolean;
  /** True where most steps have none, so that its absence is not counted. */
  readonly optional: boolean;
  /** In nats; undefined where the step does not have it. */
  valueOf(
    step: StepMetrics,
    channelEffectOf: ((step: StepMetrics) => number | undefined) | undefined,
  ): number | undefined;
}

/** What is emitted of a step, in this order. */
export const EVALUATION_METRICS: readonly EvaluationMetric[] = [
  {
    name: "asv.gold_margin_gain",
    directed: true,
    optional: false,
    valueOf: ({ diagnostics }) => diagnostics?.marginGain,
  },
  {
    name: "asv.entropy_movement",
    directed: true,
    optional: false,
    valueOf: ({ diagnostics }) => diagnostics?.entropyMovement,
  },
  {
    name: "asv.bayesian_surprise",
    directed: false,
    optional: false,
    valueOf: ({ diagnostics }) => diagnostics?.surprise,
  },
  {
    name: "asv.channel_effect",
    directed: true,
    optional: true,
    valueOf: (step, channelEffectOf) => channelEffectOf?.(step),
  },
];
