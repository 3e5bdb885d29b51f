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
): ReadableLogRecord[] {
  const exporter = new InMemoryLogRecordExporter();
  const provider = new LoggerProvider({ processors: [new SimpleLogRecordProcessor({ exporter })] });
  const logger = provider.getLogger("@agent-step-value/test");
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
