// Run as a process of its own by processes.test.ts: `node capture-child.test-support.ts <how it ends> <file>`.
import { BasicTracerProvider, BatchSpanProcessor, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { SpanExporter } from "@opentelemetry/sdk-trace-base";
import { createRecorder, installSignalHandlers } from "./index.ts";

const [mode = "", file = ""] = process.argv.slice(2);
const STEPS = 5;

function fiveSteps(recorder: ReturnType<typeof createRecorder>): void {
  const run = recorder.trajectory({ id: "t", task: { question: "which?" } });
  for (let i = 0; i < STEPS; i++)
    run.step({ action: { type: "a" }, before: { n: i } }).end({ after: { n: i + 1 } });
  run.step({ action: { type: "unfinished" } });
}

function exporterThat(does: "hangs" | "throws" | "rejects"): SpanExporter {
  const act = (): Promise<void> => {
    if (does === "throws") throw new Error("exporter");
    return does === "hangs" ? new Promise(() => undefined) : Promise.reject(new Error("exporter"));
  };
  return {
    export(_, done) {
      if (does === "rejects") done({ code: 1, error: new Error("500") });
      else void act();
    },
    forceFlush: act,
    shutdown: act,
  };
}

async function withExporter(does: "hangs" | "throws" | "rejects"): Promise<void> {
  const exporter = exporterThat(does);
  const provider = new BasicTracerProvider({
    spanProcessors: [
      new SimpleSpanProcessor(exporter),
      new BatchSpanProcessor(exporter, { scheduledDelayMillis: 1 }),
    ],
  });
  const recorder = createRecorder({ file, tracerProvider: provider });
  fiveSteps(recorder);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const report = await recorder.shutdown();
  console.log(JSON.stringify({ written: report.written, dropped: report.dropped }));
  process.exit(0);
}

/** Heap after many runs, of which every fifth is never closed, against the heap after few. */
async function manyRuns(): Promise<void> {
  const recorder = createRecorder({ file, maxOpenMs: 20, onError: () => undefined });
  const heapAfter = async (runs: number): Promise<number> => {
    for (let i = 0; i < runs; i++) {
      const run = recorder.trajectory({ task: { question: "which?" } });
      const state = { notes: "word ".repeat(400) + String(i) };
      run.step({ action: { type: "a" }, before: state }).end({ after: state });
      if (i % 5 !== 0) run.close();
      if (i % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    await recorder.flush();
    globalThis.gc!();
    return process.memoryUsage().heapUsed;
  };
  const few = await heapAfter(1000);
  const many = await heapAfter(5000);
  console.log(JSON.stringify({ open: recorder.openTrajectories, grownMb: (many - few) / 2 ** 20 }));
}

const ends: Record<string, () => unknown> = {
  natural: () => undefined,
  exit: () => process.exit(3),
  throw: () => {
    throw new Error("host");
  },
  kill: () => process.kill(process.pid, "SIGKILL"),
  sigterm: () => process.kill(process.pid, "SIGTERM"),
  "sigterm-handled": () => {
    installSignalHandlers();
    process.kill(process.pid, "SIGTERM");
  },
};

if (mode === "hangs" || mode === "throws" || mode === "rejects") await withExporter(mode);
else if (mode === "many") await manyRuns();
else {
  fiveSteps(createRecorder({ file }));
  ends[mode]!();
  // A signal is delivered in a later turn.
  if (mode.startsWith("sig")) setTimeout(() => undefined, 10_000);
}
