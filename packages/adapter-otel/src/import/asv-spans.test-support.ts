import { createRecorder, type RecorderOptions } from "@agent-step-value/sdk/capture";
import { SeverityNumber } from "@opentelemetry/api-logs";
import {
  JsonLogsSerializer,
  JsonTraceSerializer,
  ProtobufLogsSerializer,
  ProtobufTraceSerializer,
} from "@opentelemetry/otlp-transformer";
import {
  InMemoryLogRecordExporter,
  LoggerProvider,
  SimpleLogRecordProcessor,
  type ReadableLogRecord,
} from "@opentelemetry/sdk-logs";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
  type TracerConfig,
} from "@opentelemetry/sdk-trace-base";
import type { AnyValueMap } from "@opentelemetry/api-logs";

/** Spans of runs that the SDK's own recorder captured, through the official SDK. */
export function capturedSpans(
  runs: number,
  config: TracerConfig = {},
  options: RecorderOptions = {},
): ReadableSpan[] {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
    ...config,
  });
  const recorder = createRecorder({ file: false, tracerProvider, ...options });
  for (let n = 0; n < runs; n++) {
    const run = recorder.trajectory({ id: `run-${n}`, task: { id: `task-${n}`, question: `What is ${n}?` } });
    for (let i = 0; i < 3; i++) {
      run
        .step({
          action: { type: i === 1 ? "tool:search" : "model" },
          kind: i === 1 ? "tool" : "llm",
          before: seen(n, i),
        })
        .end({ after: seen(n, i + 1) });
    }
    run.close({ status: n % 2 === 0 ? "complete" : "error" });
  }
  return exporter.getFinishedSpans();
}

/** What a run knows before step i: text that JSON, UTF-8 and line splitters trip over. */
function seen(run: number, i: number): { notes: string[] } {
  return { notes: Array.from({ length: i + 1 }, (_, n) => `run ${run} note ${n} “灯台” 🗼 \u2028 \\ "x"`) };
}

/** Log records through the official SDK. */
export function logRecords(
  records: readonly { eventName: string; body: string | AnyValueMap; attributes: AnyValueMap }[],
  scope = "@agent-step-value/test",
): ReadableLogRecord[] {
  const exporter = new InMemoryLogRecordExporter();
  const provider = new LoggerProvider({ processors: [new SimpleLogRecordProcessor({ exporter })] });
  const logger = provider.getLogger(scope);
  for (const record of records) logger.emit({ severityNumber: SeverityNumber.INFO, ...record });
  return exporter.getFinishedLogRecords();
}

export function jsonLine(spans: readonly ReadableSpan[]): Buffer {
  return Buffer.concat([JsonTraceSerializer.serializeRequest([...spans])!, Buffer.from("\n")]);
}

export function protoMessage(spans: readonly ReadableSpan[]): Buffer {
  return Buffer.from(ProtobufTraceSerializer.serializeRequest([...spans])!);
}

export function jsonLogLine(logs: readonly ReadableLogRecord[]): Buffer {
  return Buffer.concat([JsonLogsSerializer.serializeRequest([...logs])!, Buffer.from("\n")]);
}

export function protoLogMessage(logs: readonly ReadableLogRecord[]): Buffer {
  return Buffer.from(ProtobufLogsSerializer.serializeRequest([...logs])!);
}

/** A span with other attributes, as a backend or a limit leaves it; one that is undefined goes. */
export function changed(span: ReadableSpan, attributes: Record<string, unknown>): ReadableSpan {
  const merged = Object.fromEntries(
    Object.entries({ ...span.attributes, ...attributes }).filter(([, value]) => value !== undefined),
  );
  return Object.assign(Object.create(span) as ReadableSpan, { attributes: merged });
}

export const isStep =
  (index: number) =>
  (span: ReadableSpan): boolean =>
    span.attributes["asv.step.index"] === index;

/** A recorder through the official SDK, and what it has recorded so far. */
export function recorderWithSpans(options: RecorderOptions = {}) {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  return {
    recorder: createRecorder({ file: false, tracerProvider, ...options }),
    tracerProvider,
    spans: () => exporter.getFinishedSpans(),
  };
}
