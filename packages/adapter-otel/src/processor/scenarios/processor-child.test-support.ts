// A process of its own, run by processes.test-support.ts: <how it ends> <file> <url of the kit> <own file or ->
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createRecorder, installSignalHandlers } from "@agent-step-value/sdk/capture";
import { ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { asvSpanProcessor } from "../index.ts";
import type { KitExporter, OtelKit } from "./otel-kit.test-support.ts";

const [mode = "", file = "", kitUrl = "", ownFile = "-"] = process.argv.slice(2);
const { kit } = (await import(kitUrl)) as { kit: OtelKit };

function fiveSteps(): void {
  const provider = kit.provider({ processors: [asvSpanProcessor({ file })] });
  const recorder = createRecorder({ file: ownFile, tracerProvider: provider });
  const run = recorder.trajectory({ id: "t", task: { question: "which?" } });
  for (let i = 0; i < 5; i++) {
    run.step({ action: { type: "a" }, before: { n: i } }).end({ after: { n: i + 1 } });
  }
  run.step({ action: { type: "unfinished" } });
}

/** A run of another writer, whom nobody tells that the process ends. */
function anotherWriter(): void {
  const provider = kit.provider({ processors: [asvSpanProcessor({ file })] });
  const tracer = provider.getTracer("another");
  const root = tracer.startSpan("asv.trajectory", { attributes: { "asv.trajectory.id": "t" } });
  for (let i = 0; i < 5; i++) {
    const attributes = { "asv.trajectory.id": "t", "asv.step.index": i, "asv.step.action": "a" };
    tracer.startSpan("asv.step", { attributes }, trace.setSpan(ROOT_CONTEXT, root)).end();
  }
}

/** Heap after many runs that are never closed, against the heap after some. */
async function unread(): Promise<void> {
  const processor = asvSpanProcessor({ file, maxOpenTrajectories: 64, onError: () => undefined });
  const provider = kit.provider({ processors: [processor] });
  const tracer = provider.getTracer("another");
  let made = 0;
  const heapAfter = async (runs: number): Promise<number> => {
    for (let i = 0; i < runs; i++) {
      const id = `run-of-a-stream-${made++}`;
      const root = tracer.startSpan("asv.trajectory", { attributes: { "asv.trajectory.id": id } });
      const state = JSON.stringify({ notes: `${"word ".repeat(400)}${made}` });
      const attributes = { "asv.trajectory.id": id, "asv.step.index": 0, "asv.state.before": state };
      const parent = trace.setSpan(ROOT_CONTEXT, root);
      tracer.startSpan("asv.step", { attributes }, parent);
      tracer.startSpan("asv.step", { attributes: { ...attributes, "asv.step.index": 1 } }, parent).end();
      if (i % 100 === 0) await new Promise(setImmediate);
    }
    globalThis.gc!();
    return process.memoryUsage().heapUsed;
  };
  // What is remembered of closed runs is full after 4,096.
  const few = await heapAfter(5000);
  const many = await heapAfter(10_000);
  console.log(JSON.stringify({ open: processor.openTrajectories, grownMb: (many - few) / 2 ** 20 }));
}

/** A collector that resets the connection in the middle of its answer. */
async function reset(): Promise<void> {
  let requests = 0;
  const server = createServer((_, response) => {
    requests++;
    response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
    response.write("{");
    setTimeout(() => response.destroy(), 5);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`;
  const processor = asvSpanProcessor({ file });
  const exporter: KitExporter = kit.otlpExporter({ url, timeoutMillis: 500 });
  const provider = kit.provider({
    processors: [processor, kit.batch(exporter, { scheduledDelayMillis: 1 })],
  });
  const recorder = createRecorder({ file: false, tracerProvider: provider });
  for (let i = 0; i < 5; i++) {
    const run = recorder.trajectory({ id: `t${i}` });
    run.step({ action: { type: "a" }, before: { n: 0 } }).end({ after: { n: 1 } });
    run.close();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await provider.forceFlush().catch(() => undefined);
  console.log(JSON.stringify({ written: (await processor.shutdown()).written, requested: requests > 0 }));
  server.closeAllConnections();
  process.exit(0);
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

if (mode === "unread") await unread();
else if (mode === "reset") await reset();
else {
  if (ownFile === "-") anotherWriter();
  else fiveSteps();
  ends[mode]!();
  // A signal is delivered in a later turn.
  if (mode.startsWith("sigterm")) setTimeout(() => undefined, 10_000);
}
