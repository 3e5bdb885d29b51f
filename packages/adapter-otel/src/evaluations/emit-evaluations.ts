import type { Context } from "@opentelemetry/api";
import { ROOT_CONTEXT, trace, TraceFlags } from "@opentelemetry/api";
import { InvalidArgumentError, type StepMetrics } from "@agent-step-value/sdk";
import { stepPlace, type SpanPlace } from "../asv-spans/index.ts";
import { evaluationLabel, isDoubtful } from "./evaluation-label.ts";
import { EVALUATION_METRICS, type EvaluationMetric } from "./evaluation-metrics.ts";

/** A log record as any version of the logs API takes it. */
export interface EvaluationRecord {
  eventName: string;
  attributes: Record<string, string | number | boolean>;
  /** Holds the span context of the evaluated step. */
  context: Context;
}

/** A logger of `@opentelemetry/api-logs`, or of the API of the 3.x line; nothing else of it is used. */
export interface EvaluationLogger {
  emit(record: EvaluationRecord): void;
}

export interface EmitEvaluationsOptions {
  readonly logger: EvaluationLogger;
  /** The span of a step. Default: where `trajectoryTelemetry` puts it. See {@link recordedPlaces}. */
  readonly placeOf?: (step: StepMetrics) => SpanPlace | undefined;
  /** Model of the protocol's evaluator. */
  readonly evaluatorModel?: string;
  /** Difference of a step's margin gain between two channels, in nats, where they were compared. */
  readonly channelEffectOf?: (step: StepMetrics) => number | undefined;
}

/** What was emitted, and what was not and why. */
export interface EmittedEvaluations {
  /** Records by evaluation name. */
  readonly emitted: Record<string, number>;
  /** Steps without diagnostics, by the flag that says why. */
  readonly unmeasured: Record<string, number>;
  /** Values that a measured step does not have, by evaluation name: the margin gain of a run without a target. */
  readonly absent: Record<string, number>;
}

/** Event name of the OpenTelemetry GenAI conventions. */
const EVENT = "gen_ai.evaluation.result";

/**
 * Emits step values as `gen_ai.evaluation.result` log records in the context of the evaluated step's span,
 * one a metric: gold-target margin gain, entropy movement, Bayesian surprise (paper section 3.3), in nats,
 * and the channel effect where one is given. Only finite values; never the target, a candidate's text or a
 * rationale.
 *
 * @param steps what `diagnoseTrajectory` gives, of any number of trajectories
 * @throws {InvalidArgumentError} where the logger has no `emit`
 */
export function emitEvaluations(
  steps: Iterable<StepMetrics>,
  options: EmitEvaluationsOptions,
): EmittedEvaluations {
  const { logger, placeOf = defaultPlace, channelEffectOf } = options;
  if (typeof logger?.emit !== "function")
    throw new InvalidArgumentError("logger", "a logger with emit()", logger);
  const emitted = new Map<string, number>();
  const unmeasured = new Map<string, number>();
  const absent = new Map<string, number>();
  for (const step of steps) {
    if (step.diagnostics === undefined) {
      count(unmeasured, step.flags.find((flag) => flag === "no_state" || flag === "unscored") ?? "unscored");
    }
    const context = contextOf(placeOf(step) ?? defaultPlace(step));
    for (const metric of EVALUATION_METRICS) {
      const value = metric.valueOf(step, channelEffectOf);
      if (value !== undefined && Number.isFinite(value)) {
        logger.emit({ eventName: EVENT, attributes: attributesOf(step, metric, value, options), context });
        count(emitted, metric.name);
      } else if (step.diagnostics !== undefined && !metric.optional) count(absent, metric.name);
    }
  }
  return {
    emitted: Object.fromEntries(emitted),
    unmeasured: Object.fromEntries(unmeasured),
    absent: Object.fromEntries(absent),
  };
}

function attributesOf(
  step: StepMetrics,
  metric: EvaluationMetric,
  value: number,
  { evaluatorModel }: EmitEvaluationsOptions,
): EvaluationRecord["attributes"] {
  const label = evaluationLabel(value, metric.directed, step.flags);
  return {
    "gen_ai.evaluation.name": metric.name,
    "gen_ai.evaluation.score.value": value,
    ...(label !== undefined && { "gen_ai.evaluation.score.label": label }),
    "asv.trajectory.id": step.trajectoryId,
    "asv.step.id": step.stepId,
    "asv.step.index": step.index,
    "asv.protocol.digest": step.protocolId,
    ...(evaluatorModel !== undefined && { "asv.evaluator.model": evaluatorModel }),
    "asv.flags.floor": step.flags.includes("floor"),
    "asv.flags.leak": isDoubtful(step.flags, "leak"),
  };
}

function contextOf({ traceId, spanId }: SpanPlace): Context {
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.SAMPLED });
}

function defaultPlace({ trajectoryId, stepId }: StepMetrics): SpanPlace {
  return stepPlace(trajectoryId, stepId);
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
