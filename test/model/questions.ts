import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { freezeCandidates, importPubmedqa, readTrajectories, type Trajectory } from "@agent-step-value/sdk";
import { sharedFile } from "../../packages/sdk/src/testing/shared-data.ts";

const INVENTED = fileURLToPath(
  new URL("../../examples/quickstart/data/evidence-questions.asv.jsonl", import.meta.url),
);

/**
 * The shortest questions of the public PubMedQA sample, or, where it is not beside the checkout, of the
 * quickstart's invented ones. Length alone decides, so the choice knows no answer.
 */
export async function shortestQuestions(
  count: number,
): Promise<{ source: string; trajectories: Trajectory[] }> {
  const file = sharedFile("data/pubmedqa/pqal-100.jsonl");
  const all = file === undefined ? readTrajectories([INVENTED]) : importPubmedqa(linesOf(file));
  const trajectories: Trajectory[] = [];
  for await (const trajectory of all) trajectories.push(trajectory);
  // A prompt holds the question once, and the candidates quote it.
  const length = ({ task, steps }: Trajectory) =>
    4 * task.question.length * (steps.length + 1) +
    JSON.stringify(steps.map((step) => step.stateAfter)).length;
  const chosen = trajectories
    .toSorted((a, b) => length(a) - length(b) || (a.trajectoryId < b.trajectoryId ? -1 : 1))
    .slice(0, count);
  for (const { task } of chosen) task.candidateSpace = freezeCandidates(task.candidateSpace, task.question);
  return {
    source: file === undefined ? "the quickstart's invented questions" : "PubMedQA",
    trajectories: chosen,
  };
}

function linesOf(file: string) {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((text) => text !== "")
    .map((text, i) => ({ place: { source: "pqal-100.jsonl", line: i + 1 }, text }));
}
