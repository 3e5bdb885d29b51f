import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import {
  readLabelScores,
  type Evaluator,
  type EvaluatorReply,
  type ScoreRequest,
} from "@agent-step-value/sdk";
import type { Answers, Job } from "./in-process.ts";

/** A request that a recording evaluator was asked. */
export type Asked = Pick<ScoreRequest, "prompt" | "labelToCandidate">;

/** An evaluator that notes every scored request and its reply. */
export function noting(evaluator: Evaluator): {
  evaluator: Evaluator;
  asked: Asked[];
  replies: EvaluatorReply[];
} {
  const asked: Asked[] = [];
  const replies: EvaluatorReply[] = [];
  return {
    asked,
    replies,
    evaluator: {
      ...evaluator,
      async score(request) {
        const reply = await evaluator.score(request);
        asked.push({ prompt: request.prompt, labelToCandidate: request.labelToCandidate });
        replies.push(reply);
        return reply;
      },
    },
  };
}

/** Answers of node-llama-cpp, from a process of its own. */
export async function askInProcess(job: Job): Promise<Answers> {
  const script = fileURLToPath(new URL("in-process.ts", import.meta.url));
  const child = spawn(process.execPath, ["--conditions=@agent-step-value/source", script], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.end(JSON.stringify(job));
  const exited = once(child, "exit");
  const [out, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await exited) as [number | null];
  if (code !== 0) throw new Error(`in-process scoring ended with ${code}: ${problems.slice(-2000)}`);
  return JSON.parse(out) as Answers;
}

/** Label scores of a reply, in label order. */
function labelScores(reply: EvaluatorReply, { labelToCandidate }: Asked): number[] {
  if (reply.form !== "logprobs") throw new Error("no log-probabilities");
  const floor = { rule: "bounded" as const, score: -20 };
  return Object.values(readLabelScores({ ...reply, labelToCandidate, floor }).labelScores);
}

/** True when no label had to be given a floor. */
export function listsEveryLabel(reply: EvaluatorReply, { labelToCandidate }: Asked): boolean {
  if (reply.form !== "logprobs") return false;
  const floor = { rule: "bounded" as const, score: -20 };
  return readLabelScores({ ...reply, labelToCandidate, floor }).floored.length === 0;
}

/** Differences of label scores, reply by reply. */
export function differences(
  a: readonly EvaluatorReply[],
  b: readonly EvaluatorReply[],
  asked: readonly Asked[],
): number[] {
  return asked.flatMap((request, i) => {
    const right = labelScores(b[i]!, request);
    return labelScores(a[i]!, request).map((value, j) => value - right[j]!);
  });
}
