import { createRandom } from "@agent-step-value/sdk";
import { createRecorder, jsonlSink, spanSink } from "@agent-step-value/sdk/capture";
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from "@opentelemetry/sdk-trace-base";
import { resourceFromAttributes } from "@opentelemetry/resources";

export interface CaptureOptions {
  readonly exporter: SpanExporter;
  /** ASV JSONL of the same runs: the truth that the other way is held to. */
  readonly file: string;
  readonly trajectories: number;
  readonly seed: number;
  /** Steps of each trajectory, length of the text that a run begins with and that a step adds; drawn where left out. */
  readonly steps?: number;
  readonly initial?: number;
  readonly added?: number;
  readonly maxExportBatchSize?: number;
  /** Limit of the host's provider. */
  readonly attributeValueLengthLimit?: number;
}

/** What was written and what the exporter said. */
export interface Captured {
  readonly steps: number;
  readonly failures: { readonly spans: number; readonly reason: string }[];
}

/** Trajectories between two flushes, so that the batch processor's queue never overflows. */
const FLUSH_EVERY = 25;
const WORDS =
  'light of skarn green red harbour ferry north “quoted” naïve 灯台 \u{1F5FC} \u2028 \\ " \u0000 tab\t'.split(
    " ",
  );

/**
 * Captures made-up runs as a host does: a recorder that feeds spans, through the official SDK's batch
 * processor and the given exporter, and ASV JSONL.
 */
export async function captureRuns(options: CaptureOptions): Promise<Captured> {
  const { file, trajectories, seed, maxExportBatchSize = 64, attributeValueLengthLimit } = options;
  const failures: { spans: number; reason: string }[] = [];
  const processor = new BatchSpanProcessor(watched(options.exporter, failures), {
    maxQueueSize: 100_000,
    maxExportBatchSize,
    scheduledDelayMillis: 60_000,
  });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ "service.name": "collector-test" }),
    spanProcessors: [processor],
    ...(attributeValueLengthLimit !== undefined && { spanLimits: { attributeValueLengthLimit } }),
  });
  const recorder = createRecorder({
    sinks: [spanSink({ tracerProvider: provider }), jsonlSink(file)],
    sourceAdapter: "collector-test",
  });
  const random = createRandom(seed);
  // Rejects, with an array, where a batch failed; that is noted already.
  const flush = (): Promise<void> => provider.forceFlush().catch(() => undefined);
  for (let i = 0; i < trajectories; i++) {
    captureOne(recorder, i, random, options);
    if (i % FLUSH_EVERY === FLUSH_EVERY - 1) await flush();
  }
  const report = await recorder.shutdown();
  await flush();
  await provider.shutdown();
  if (report.dropped + report.damaged > 0) throw new Error(`capture lost steps: ${JSON.stringify(report)}`);
  return { steps: report.written, failures };
}

/** Every so often: a failed step, two steps at once, a state from nowhere, a step without an after-state. */
function captureOne(
  recorder: ReturnType<typeof createRecorder>,
  number: number,
  random: ReturnType<typeof createRandom>,
  { steps = 3 + random.below(5), initial = 300, added }: CaptureOptions,
): void {
  const run = recorder.trajectory({
    task: { id: `task-${number % 50}`, question: `What does number ${number} show?` },
    metadata: { number },
  });
  let text = prose(random, initial);
  const state = (more: string) => ({ blocks: [{ kind: "evidence", name: "notes", text: text + more }] });
  let before: unknown = run.snapshot(state(""));
  for (let s = 0; s < steps; s++) {
    const step = run.step({
      action: { type: s % 2 === 0 ? "model" : "tool:search" },
      before,
      kind: s % 2 === 0 ? "llm" : "tool",
    });
    // Most texts are short; one in forty brings its state near the limit of what rides on a span.
    text += prose(random, added ?? (random.below(40) === 0 ? 5000 : 150 + random.below(400)));
    const after = run.snapshot(state(""));
    const luck = random.below(30);
    if (luck === 0) step.end({ after, error: new Error("no such note") });
    else if (luck === 1) step.end({});
    else if (luck === 2) {
      const beside = run.step({ action: { type: "tool:read" }, before, kind: "tool" });
      step.end({ after, cost: { prompt_tokens: text.length } });
      beside.end({ after: state(" read beside") });
    } else step.end({ after, observation: { text: prose(random, 40) } });
    before = random.below(20) === 0 ? state(" changed in between") : after;
  }
  run.close({ status: number % 97 === 0 ? "error" : "complete" });
}

function prose(random: ReturnType<typeof createRandom>, length: number): string {
  let text = "";
  while (text.length < length) text += `${WORDS[random.below(WORDS.length)]} `;
  return text;
}

/** The exporter, with its failures noted: the batch processor only logs them. */
function watched(exporter: SpanExporter, failures: { spans: number; reason: string }[]): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code !== 0) failures.push({ spans: spans.length, reason: reasonOf(result.error) });
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

function reasonOf(error: Error | undefined): string {
  const { code, message } = (error ?? {}) as { code?: number; message?: string };
  return `${code ?? "no code"}: ${message ?? ""}`;
}
