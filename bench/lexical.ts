import { freezeCandidates } from "../packages/sdk/src/candidates/index.ts";
import { lexicalEvaluator } from "../packages/sdk/src/evaluators/lexical/index.ts";
import { importWhoAndWhen, type RunAnswer } from "../packages/sdk/src/import/index.ts";
import { readLines } from "../packages/sdk/src/jsonl/read-records.ts";
import { createRandom } from "../packages/sdk/src/math/index.ts";
import { defineProtocol, protocols } from "../packages/sdk/src/protocol/index.ts";
import type { Block, Trajectory } from "../packages/sdk/src/schema/index.ts";
import { score } from "../packages/sdk/src/score/score.ts";
import { sharedFile } from "../packages/sdk/src/testing/shared-data.ts";

const CPU_BAR_SECONDS = 5;

/** CPU time of import and scoring of the public Who&When logs, and growth with the length of a run. */
export async function run(): Promise<void> {
  await whoAndWhen();
  await growth();
}

async function whoAndWhen(): Promise<void> {
  const logs = sharedFile("data/who-and-when/algorithm-generated-96.jsonl");
  const answers = sharedFile("data/who-and-when/run-answers.jsonl");
  if (logs === undefined || answers === undefined) return;
  const start = process.cpuUsage();
  const runAnswers: RunAnswer[] = [];
  for await (const { json } of readLines(answers)) runAnswers.push(json as RunAnswer);
  const imported = importWhoAndWhen(readLines(logs), { answers: runAnswers, seed: 7919 });
  const trajectories: Trajectory[] = [];
  for await (const trajectory of imported) {
    const { task } = trajectory;
    const candidateSpace = freezeCandidates(task.candidateSpace, task.question);
    trajectories.push({ ...trajectory, task: { ...task, candidateSpace } });
  }
  const importSeconds = seconds(start);
  const evaluator = lexicalEvaluator();
  const protocol = defineProtocol({ ...protocols.direct, evaluator: evaluator.settings });
  let records = 0;
  for await (const { record } of score(trajectories, { protocol, evaluator }))
    if (record === "score") records += 1;
  const total = seconds(start);
  const verdict = total < CPU_BAR_SECONDS ? "met" : "MISSED";
  console.log(
    `who-and-when: ${imported.report.trajectories} logs, ${imported.report.steps} steps, ${records} states scored: ` +
      `${total.toFixed(2)} s of CPU (import ${importSeconds.toFixed(2)} s); bar < ${CPU_BAR_SECONDS} s ${verdict}`,
  );
}

async function growth(): Promise<void> {
  const steps = 250;
  await growingRun(steps);
  const [small, large] = [await growingRun(steps), await growingRun(4 * steps)];
  const ratio = (a: number, b: number): string => (b / a).toFixed(2);
  console.log(
    `growth from ${steps} to ${4 * steps} steps: characters tokenised x${ratio(small.characters, large.characters)}, ` +
      `CPU x${ratio(small.seconds, large.seconds)} (${small.seconds.toFixed(3)} s to ${large.seconds.toFixed(3)} s); linear is x4`,
  );
}

/** Scores every state of a run that grows by a message of 200 words a step; median of five. */
async function growingRun(steps: number): Promise<{ characters: number; seconds: number }> {
  const random = createRandom(7);
  const word = (): string => `word${random.below(5000)}`;
  const message = (): string => Array.from({ length: 200 }, word).join(" ");
  const blocks = Array.from({ length: steps }, (): Block => ({ kind: "message", text: message() }));
  const candidates = Array.from({ length: 4 }, (_, i) => ({
    id: `cand-${i + 1}`,
    text: message().slice(0, 80),
  }));
  const times: number[] = [];
  let characters = 0;
  for (let round = 0; round < 5; round++) {
    characters = 0;
    const evaluator = lexicalEvaluator({ onTokenise: (count) => (characters += count) });
    const start = process.cpuUsage();
    for (let i = 0; i <= steps; i++) {
      const request = {
        question: "",
        candidates,
        blocks: blocks.slice(0, i),
        labelToCandidate: {},
        prompt: "",
      };
      await evaluator.score(request);
    }
    times.push(seconds(start));
  }
  return { characters, seconds: times.sort((a, b) => a - b)[2]! };
}

function seconds(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}
