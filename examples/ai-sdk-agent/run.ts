// Captures the agent's runs, scores what every step did and prints it.
//   npm start -w @agent-step-value/example-ai-sdk-agent -- [runs file]
import type { StepDiagnostics } from "@agent-step-value/sdk";
import { asvFlush } from "@agent-step-value/adapter-ai-sdk";
import { captureRuns } from "./capture-runs.ts";
import { measureRuns } from "./measure-runs.ts";

const file = process.argv[2] ?? "ai-sdk-agent.asv.jsonl";
await captureRuns(file);
const { written, dropped } = await asvFlush();
console.log(`${written} steps written to ${file}, ${dropped} dropped\n`);

const { runs, summary } = await measureRuns(file);
for (const { question, steps } of runs) {
  console.log(question);
  for (const { index, action, diagnostics } of steps) console.log(`  ${index} ${row(action, diagnostics)}`);
}
console.log("\nmean margin gain by what the step did, in nats");
for (const { action, steps, mean } of summary.stepTypes) {
  console.log(`  ${action.padEnd(18)} ${nats(mean)}  ${steps} steps`);
}
console.log("\nlexical-v1 compares words. It shows how measuring works and is no judge of an agent.");

function nats(value: number | undefined): string {
  return value === undefined ? "not measured" : value.toFixed(3).padStart(7);
}

function row(action: string, diagnostics: StepDiagnostics | undefined): string {
  const crossing = diagnostics?.damage ? "  damage" : diagnostics?.repair ? "  repair" : "";
  return `${action.padEnd(18)} ${nats(diagnostics?.marginGain)}${crossing}`;
}
