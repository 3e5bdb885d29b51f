import {
  emitEvaluations,
  recordedPlaces,
  type EvaluationRecord,
  type SpanTime,
} from "@agent-step-value/adapter-otel";
import {
  AsvError,
  diagnoseTrajectory,
  isJsonObject,
  type DiagnosedStep,
  type IndexedProtocol,
  type ScoreIndex,
  type Trajectory,
} from "@agent-step-value/sdk";
import { trace } from "@opentelemetry/api";
import { chooseChannels } from "../compare/choose-channels.ts";
import { EXIT, type Outcome } from "../exit-code.ts";
import { say, warn, type Io } from "../io.ts";
import { cautionOf } from "../records/evaluators.ts";
import { createWarningLog, readRuns } from "../records/read-input.ts";
import { chooseProtocol, readScores, sortFiles } from "../records/score-files.ts";
import type { OutgoingLog } from "./export-readable.ts";
import { exportTelemetry, type TelemetryOptions } from "./export-telemetry.ts";

export interface EvaluationsOptions extends TelemetryOptions {
  protocol?: string;
  baseline?: string;
}

/** `--as otlp-evaluations`: step values as `gen_ai.evaluation.result` log records on the steps' spans. */
export async function exportEvaluations(
  files: readonly string[],
  options: EvaluationsOptions,
  io: Io,
  outcome: Outcome,
): Promise<void> {
  const log = createWarningLog(io);
  const { runs, scores } = await sortFiles(files);
  const index = await readScores(scores, log);
  const { protocol, baseline } = chosen(index, options);
  const model = evaluatorModel(protocol);
  const now = Date.now();
  const time: SpanTime = [Math.floor(now / 1000), (now % 1000) * 1_000_000];
  const unmeasured = new Map<string, number>();
  const absent = new Map<string, number>();
  await exportTelemetry(
    options,
    async ({ batches, records, checkInterrupt }) => {
      for await (const trajectory of readRuns(runs, log)) {
        checkInterrupt();
        const steps = diagnoseTrajectory(trajectory, index ?? "provided", {
          protocolId: protocol?.protocolId,
        });
        const effects = baseline && channelEffects(steps, trajectory, index!, baseline);
        const emitted: OutgoingLog[] = [];
        const counts = emitEvaluations(steps, {
          logger: { emit: (record) => void emitted.push(outgoing(record, time, baseline)) },
          placeOf: recordedPlaces(trajectory),
          ...(model !== undefined && { evaluatorModel: model }),
          ...(effects !== undefined && { channelEffectOf: ({ stepId }) => effects.get(stepId) }),
        });
        for (const record of emitted) await batches.log(records.log(record));
        add(unmeasured, counts.unmeasured);
        add(absent, counts.absent);
      }
    },
    { io, outcome, only: "logs", inputs: files },
  );
  for (const kind of protocol?.evaluatorKinds ?? []) {
    const caution = cautionOf(kind);
    if (caution !== undefined) warn(io, caution);
  }
  if (absent.size > 0) say(io, `steps without a value: ${words(absent)}`);
  if (unmeasured.size > 0) {
    warn(io, `steps that could not be measured have no record: ${words(unmeasured)}`);
    outcome.exitCode ||= EXIT.partial;
  }
}

/** The protocol whose values go out, and the one its effects are taken against. */
function chosen(
  index: ScoreIndex | undefined,
  { protocol, baseline }: EvaluationsOptions,
): { protocol?: IndexedProtocol; baseline?: IndexedProtocol } {
  if (index === undefined) {
    if (baseline === undefined) return {};
    throw new AsvError("invalid_argument", "--baseline needs score files of two protocols; there is none.");
  }
  if (baseline === undefined) return { protocol: chooseProtocol(index, protocol) };
  const channels = protocol === undefined ? undefined : [protocol];
  const compared = chooseChannels(index, { baseline, channels });
  const [only, another] = compared.channels;
  if (another !== undefined) return { protocol: chooseProtocol(index, protocol) }; // which says which there are
  if (only === compared.baseline) {
    throw new AsvError("invalid_argument", "--baseline is the protocol itself; name another channel.");
  }
  return { protocol: only!.protocol, baseline: compared.baseline.protocol };
}

/** G minus the baseline's G by step, where both are known; both are of the very same states. */
function channelEffects(
  steps: readonly DiagnosedStep[],
  trajectory: Trajectory,
  index: ScoreIndex,
  { protocolId }: IndexedProtocol,
): Map<string, number> {
  const others = new Map(
    diagnoseTrajectory(trajectory, index, { protocolId }).map((step) => [step.stepId, step.diagnostics]),
  );
  const effects = new Map<string, number>();
  for (const { stepId, diagnostics } of steps) {
    const [gain, other] = [diagnostics?.marginGain, others.get(stepId)?.marginGain];
    if (gain !== undefined && other !== undefined) effects.set(stepId, gain - other);
  }
  return effects;
}

/** A record of the library's logger interface as one that goes out. */
function outgoing(
  { eventName, attributes, context }: EvaluationRecord,
  time: SpanTime,
  baseline: IndexedProtocol | undefined,
): OutgoingLog {
  const { traceId, spanId } = trace.getSpanContext(context)!;
  const isEffect = attributes["gen_ai.evaluation.name"] === "asv.channel_effect";
  const against = isEffect && baseline !== undefined && { "asv.baseline.digest": baseline.protocolId };
  return { place: { traceId, spanId }, eventName, time, attributes: { ...attributes, ...against } };
}

/** The model in a protocol's settings, as its score file says them. */
function evaluatorModel(protocol: IndexedProtocol | undefined): string | undefined {
  const settings = protocol?.protocol;
  const evaluator = settings !== undefined && isJsonObject(settings) ? settings["evaluator"] : undefined;
  const model = evaluator !== undefined && isJsonObject(evaluator) ? evaluator["model"] : undefined;
  return typeof model === "string" ? model : undefined;
}

function add(counts: Map<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(more)) counts.set(name, (counts.get(name) ?? 0) + count);
}

function words(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, count]) => `${name} ${count}`).join(", ");
}
