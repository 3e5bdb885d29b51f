// Captures the agent's runs, and writes the candidates with their targets to a file beside them.
//   npm start -w @agent-step-value/example-langchain-agent -- [runs file]
import { writeFileSync } from "node:fs";
import { asvFlush } from "@agent-step-value/adapter-langchain";
import { candidateRecords } from "./candidate-records.ts";
import { captureRuns } from "./capture-runs.ts";

const file = process.argv[2] ?? "langchain-agent.asv.jsonl";
const candidates = file.replace(/(\.asv)?\.jsonl$/, "") + ".candidates.jsonl";

await captureRuns(file);
writeFileSync(
  candidates,
  candidateRecords()
    .map((record) => `${JSON.stringify(record)}\n`)
    .join(""),
);

const { written, dropped } = await asvFlush();
console.log(
  `${written} steps written to ${file}, ${dropped} dropped; candidates and targets in ${candidates}`,
);
