// A process of its own for the in-process evaluator: node in-process.ts < job.json > answers.json
import { readFileSync } from "node:fs";
import type { EvaluatorReply, RationaleReply } from "@agent-step-value/sdk";
import { llamaCppEvaluator, type LlamaEngine } from "@agent-step-value/sdk/evaluators/llama-cpp";

export interface Job {
  modelPath: string;
  threads: number;
  contextSize: number;
  reusePrefix: boolean;
  scored: { prompt: string; labelToCandidate: Record<string, string> }[];
  rationales: { prompt: string; maxTokens: number }[];
}

export interface Answers {
  engine: string;
  scored: EvaluatorReply[];
  rationales: RationaleReply[];
  seconds: number;
}

const job = JSON.parse(readFileSync(0, "utf8")) as Job;
// In a variable: the package is installed by the test, so a type checker need not find it.
const name: string = "node-llama-cpp";
const { modelPath, threads, contextSize, reusePrefix } = job;
const engine = (await import(name)) as LlamaEngine;
const evaluator = await llamaCppEvaluator({ modelPath, threads, contextSize, reusePrefix, engine });
const started = performance.now();
const answers: Answers = {
  engine: String(evaluator.settings.parameters?.["engine"]),
  scored: [],
  rationales: [],
  seconds: 0,
};
for (const item of job.scored) {
  answers.scored.push(await evaluator.score({ question: "", candidates: [], blocks: [], ...item }));
}
for (const item of job.rationales) answers.rationales.push(await evaluator.rationale!(item));
answers.seconds = (performance.now() - started) / 1000;
await evaluator.dispose();
process.stdout.write(JSON.stringify(answers));
