import {
  freezeCandidates,
  importPubmedqa,
  type PubmedqaOptions,
  type Trajectory,
} from "@agent-step-value/sdk";
import { readLines } from "@agent-step-value/sdk/jsonl";

/** The questions of a PubMedQA file as trajectories with frozen candidates, in file order. */
export async function readQuestions(file: string, options: PubmedqaOptions = {}): Promise<Trajectory[]> {
  const run = importPubmedqa(readLines(file), options);
  const trajectories: Trajectory[] = [];
  for await (const trajectory of run) {
    const { task } = trajectory;
    const candidateSpace = freezeCandidates(task.candidateSpace, task.question);
    trajectories.push({ ...trajectory, task: { ...task, candidateSpace } });
  }
  for (const { code, message, place } of run.report.warnings) {
    process.stderr.write(`${place?.source}:${place?.line}: ${code}: ${message}\n`);
  }
  return trajectories;
}
