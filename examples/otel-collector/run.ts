// Runs the LangChain example's agent and sends its spans to an OTLP HTTP endpoint:
//   npm start -w @agent-step-value/example-otel-collector -- [--endpoint URL] [--as asv | openinference]
// `asv`: captured by withASVCapture. `openinference`: by another project's instrumentation, without ours.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { LangChainInstrumentation } from "@arizeai/openinference-instrumentation-langchain";
import { asvFlush } from "@agent-step-value/adapter-langchain";
import { candidateRecords, captureRuns, ScriptedModel } from "@agent-step-value/example-langchain-agent";
import * as callbackManager from "@langchain/core/callbacks/manager";
import { askPlainAgent } from "./plain-agent.ts";
import { startTracing } from "./tracing.ts";

const { values } = parseArgs({
  options: {
    endpoint: { type: "string", default: "http://localhost:4318" },
    as: { type: "string", default: "asv" },
    /** ASV JSONL beside the spans, as a host would have it that wants to lose nothing. */
    file: { type: "string", default: "otel-collector.asv.jsonl" },
    candidates: { type: "string", default: "otel-collector.candidates.jsonl" },
  },
});

const tracing = startTracing(values.endpoint);
if (values.as === "openinference") {
  new LangChainInstrumentation().manuallyInstrument(callbackManager);
  await askPlainAgent();
} else {
  await captureRuns(values.file, new ScriptedModel());
  const { written, dropped } = await asvFlush();
  console.log(`${written} steps captured, ${dropped} dropped`);
}
await tracing.end();

const lines = candidateRecords().map((record) => `${JSON.stringify(record)}\n`);
writeFileSync(values.candidates, lines.join(""));
console.log(`spans sent to ${values.endpoint}; candidates and targets in ${values.candidates}`);
