// A stranger's first spans, on the packed SDK and adapter: captured by the processor, and imported from a file.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { asvSpanProcessor, importOtlp } from "@agent-step-value/adapter-otel";
import { createRecorder, spanSink } from "@agent-step-value/sdk/capture";
import { readTrajectories } from "@agent-step-value/sdk/jsonl";
import { JsonTraceSerializer, ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";

const folder = mkdtempSync(join(tmpdir(), "asv-pack-otel-"));
const file = join(folder, "spans.asv.jsonl");
const exporter = new InMemorySpanExporter();
const asv = asvSpanProcessor({ file });
const tracerProvider = new BasicTracerProvider({ spanProcessors: [asv, new SimpleSpanProcessor(exporter)] });

const recorder = createRecorder({ sinks: [spanSink({ tracerProvider })] });
const states = [0, 1, 2].map((found) => ({ question: "Which lamp?", found: "lamp ".repeat(found) }));
const run = recorder.trajectory({ id: "r1" });
for (const [i, name] of ["search", "answer"].entries()) {
  run.step({ action: { type: name }, before: states[i] }).end({ after: states[i + 1] });
}
run.close();

const spans = exporter.getFinishedSpans();
const json = join(folder, "traces.jsonl");
writeFileSync(json, `${Buffer.from(JsonTraceSerializer.serializeRequest(spans)).toString("utf8")}\n`);
const packed = join(folder, "traces.gz");
writeFileSync(packed, gzipSync(readFileSync(json)));
const body = Buffer.from(ProtobufTraceSerializer.serializeRequest(spans));
const length = Buffer.alloc(4);
length.writeUInt32BE(body.length);
const proto = join(folder, "traces.pb");
writeFileSync(proto, Buffer.concat([length, body]));
const shut = await asv.shutdown();
assert.equal(shut.written, 2);

const all = async (trajectories) => {
  const steps = [];
  for await (const trajectory of trajectories) {
    for (const { action, stateAfter } of trajectory.steps) steps.push([action.type, stateAfter]);
  }
  return steps;
};
const captured = await all(readTrajectories([file]));
assert.deepEqual(
  captured.map(([type]) => type),
  ["search", "answer"],
);
for (const source of [json, packed, proto]) {
  const imported = importOtlp([source]);
  assert.deepEqual(await all(imported), captured, source);
  assert.equal(imported.report.outcome, "complete");
}

rmSync(folder, { recursive: true });
console.log(`OpenTelemetry capture and import work on ${process.version}`);
