import {
  createScoreIndex,
  createSummarizer,
  defineProtocol,
  diagnoseTrajectory,
  lexicalEvaluator,
  memoryCache,
  protocols,
  score,
  type DiagnosedStep,
  type Summary,
  type Trajectory,
} from "@agent-step-value/sdk";
import { readTrajectories } from "@agent-step-value/sdk/jsonl";
import { candidatesWithTarget, questions } from "./questions.ts";

/** The values of all steps, by question, and their summary. */
export interface Measured {
  readonly runs: readonly { readonly question: string; readonly steps: readonly DiagnosedStep[] }[];
  readonly summary: Summary;
}

/** A run with the target of its question, which capture never saw. */
function withTarget(trajectory: Trajectory): Trajectory {
  const { task } = trajectory;
  const question = questions.find(({ id }) => id === task.taskId);
  if (question === undefined) return trajectory;
  const { goldCandidateId } = candidatesWithTarget(question);
  const candidateSpace = {
    ...task.candidateSpace,
    ...(goldCandidateId !== undefined && { goldCandidateId }),
  };
  return { ...trajectory, task: { ...task, candidateSpace } };
}

/** Scores the frozen states of captured runs with `lexical-v1`, which needs no model, and diagnoses every step. */
export async function measureRuns(file: string): Promise<Measured> {
  const runs: Trajectory[] = [];
  for await (const run of readTrajectories([file])) runs.push(withTarget(run));
  const evaluator = lexicalEvaluator();
  const protocol = defineProtocol({ ...protocols.direct, evaluator: evaluator.settings });
  const index = createScoreIndex();
  for await (const record of score(runs, { protocol, evaluator, cache: memoryCache() })) index.add(record);
  const measured = runs.map((run) => ({
    question: run.task.taskId,
    steps: diagnoseTrajectory(run, index),
  }));
  const summarizer = createSummarizer();
  for (const { steps } of measured) for (const step of steps) summarizer.add(step);
  return { runs: measured, summary: summarizer.finish() };
}
