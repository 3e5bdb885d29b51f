// Runs the LangChain example's agent and captures it twice over: as ASV records in a file, and as
// OpenTelemetry spans through whatever provider the process has.
//   node --conditions=@agent-step-value/source examples/quickstart/capture-live.ts RUNS CANDIDATES
import { rmSync, writeFileSync } from "node:fs";
import { asvFlush } from "@agent-step-value/adapter-langchain";
import { candidateRecords, captureRuns, ScriptedModel } from "@agent-step-value/example-langchain-agent";
import { trace } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";

const [runs = "runs.asv.jsonl", candidates = "candidates.jsonl"] = process.argv.slice(2);
const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(
  new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
);

// Capture only ever adds to a file; an earlier walk through this script would be measured again.
rmSync(runs, { force: true });
// Scripted whatever keys the environment has: this walk needs no network.
await captureRuns(runs, new ScriptedModel());
const { written, dropped } = await asvFlush();
writeFileSync(
  candidates,
  candidateRecords()
    .map((record) => `${JSON.stringify(record)}\n`)
    .join(""),
);

const spans = exporter.getFinishedSpans();
const named = (name: string): number => spans.filter((span) => span.name === name).length;
console.log(
  `captured ${named("asv.trajectory")} runs: ${written} steps in ${runs} (${dropped} dropped), ` +
    `${named("asv.step")} step spans on the process's own tracer provider`,
);
