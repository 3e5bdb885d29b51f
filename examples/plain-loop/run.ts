import { createRecorder } from "@agent-step-value/sdk/capture";
import { answerQuestion } from "./agent.ts";

const file = process.argv[2] ?? "plain-loop.asv.jsonl";
const recorder = createRecorder({ file, sourceAdapter: "plain-loop" });
const questions = [
  "When does the last crossing to the mainland leave Orrin in winter?",
  "When does the last crossing to the mainland leave Orrin in summer?",
];
for (const question of questions) console.log(`${question}\n  ${await answerQuestion(question, recorder)}`);

const { written, dropped } = await recorder.shutdown();
console.log(`${written} steps written to ${file}, ${dropped} dropped`);
