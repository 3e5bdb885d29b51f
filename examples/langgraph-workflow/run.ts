// Runs the workflow once, captured, and prints what each step was.
//   npm start -w @agent-step-value/example-langgraph-workflow -- [runs file]
import { asvFlush, withASVCapture } from "@agent-step-value/adapter-langchain";
import { readTrajectories } from "@agent-step-value/sdk/jsonl";
import { waterWorkflow } from "./workflow.ts";

const file = process.argv[2] ?? "langgraph-workflow.asv.jsonl";
const question = "Did water run over the spillway of the Almere dam?";
const task = {
  id: "almere-spillway",
  question,
  candidates: [
    { id: "cand-1", text: "The spillway stayed dry." },
    { id: "cand-2", text: "Water ran over the spillway for one night." },
    { id: "cand-3", text: "Water ran over the spillway all week." },
    { id: "none-of-the-above", text: "None of the above; the sources do not tell." },
  ],
};

const workflow = withASVCapture(waterWorkflow(), { file, task });
for await (const update of await workflow.stream({ question }, { streamMode: "updates" })) {
  console.log(`${Object.keys(update).join(", ")} done`);
}

const { written, dropped } = await asvFlush(workflow);
console.log(`\n${written} steps written to ${file}, ${dropped} dropped`);
for await (const { steps, extra } of readTrajectories([file])) {
  // A trajectory is read when it has closed, so the subgraph comes first.
  console.log(
    extra?.["parent_trajectory_id"] === undefined ? "the workflow:" : "the subgraph inside its step:",
  );
  for (const { index, action } of steps) console.log(`  ${index} ${action["type"] as string}`);
}
