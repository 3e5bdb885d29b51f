import {
  emitEvaluations,
  recordedPlaces,
  type EvaluationRecord,
  type SpanTime,
} from "@agent-step-value/adapter-otel";
import { diagnoseTrajectory, isJsonObject, type IndexedProtocol } from "@agent-step-value/sdk";
import { trace } from "@opentelemetry/api";
import { EXIT, type Outcome } from "../exit-code.ts";
import { say, warn, type Io } from "../io.ts";
import { cautionOf } from "../records/evaluators.ts";
import { createWarningLog, readRuns } from "../records/read-input.ts";
import { chooseProtocol, readScores, sortFiles } from "../records/score-files.ts";
import type { OutgoingLog } from "./export-readable.ts";
import { exportTelemetry, type TelemetryOptions } from "./export-telemetry.ts";

export interface EvaluationsOptions extends TelemetryOptions {
  protocol?: string;
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
  const protocol = index === undefined ? undefined : chooseProtocol(index, options.protocol);
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
        const emitted: OutgoingLog[] = [];
        const counts = emitEvaluations(steps, {
          logger: { emit: (record) => void emitted.push(outgoing(record, time)) },
          placeOf: recordedPlaces(trajectory),
          ...(model !== undefined && { evaluatorModel: model }),
        });
        for (const record of emitted) await batches.log(records.log(record));
        add(unmeasured, counts.unmeasured);
        add(absent, counts.absent);
      }
    },
    { io, outcome, only: "logs" },
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

/** A record of the library's logger interface as one that goes out. */
function outgoing({ eventName, attributes, context }: EvaluationRecord, time: SpanTime): OutgoingLog {
  const { traceId, spanId } = trace.getSpanContext(context)!;
  return { place: { traceId, spanId }, eventName, time, attributes };
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
