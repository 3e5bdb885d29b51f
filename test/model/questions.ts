import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { freezeCandidates, importPubmedqa, readTrajectories, type Trajectory } from "@agent-step-value/sdk";
import { sharedFile } from "../../packages/sdk/src/testing/shared-data.ts";

const INVENTED = fileURLToPath(
  new URL("../../examples/quickstart/data/evidence-questions.asv.jsonl", import.meta.url),
);

/** The public PubMedQA sample, where it lies beside the checkout. */
export function pubmedqaFile(): string | undefined {
  return sharedFile("data/pubmedqa/pqal-100.jsonl");
}

/**
 * The shortest questions of the public PubMedQA sample, or, where it is not beside the checkout, of the
 * quickstart's invented ones.
 */
export async function shortestQuestions(
  count: number,
): Promise<{ source: string; trajectories: Trajectory[] }> {
  const file = pubmedqaFile();
  const all = file === undefined ? readTrajectories([INVENTED]) : importPubmedqa(linesOf(file));
  const trajectories = await shortestOf(all, count);
  for (const { task } of trajectories)
    task.candidateSpace = freezeCandidates(task.candidateSpace, task.question);
  return { source: file === undefined ? "the quickstart's invented questions" : "PubMedQA", trajectories };
}

/** Trajectories with the shortest prompts. Length alone decides, so the choice knows no answer. */
export async function shortestOf(all: AsyncIterable<Trajectory>, count: number): Promise<Trajectory[]> {
  const trajectories: Trajectory[] = [];
  for await (const trajectory of all) trajectories.push(trajectory);
  // A prompt holds the question once, and the candidates quote it.
  const length = ({ task, steps }: Trajectory) =>
    4 * task.question.length * (steps.length + 1) +
    JSON.stringify(steps.map((step) => step.stateAfter)).length;
  return trajectories
    .toSorted((a, b) => length(a) - length(b) || (a.trajectoryId < b.trajectoryId ? -1 : 1))
    .slice(0, count);
}

function linesOf(file: string) {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((text) => text !== "")
    .map((text, i) => ({ place: { source: "pqal-100.jsonl", line: i + 1 }, text }));
}
