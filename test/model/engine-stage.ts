import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { memoryCache, type Trajectory } from "@agent-step-value/sdk";
import { openaiEvaluator } from "@agent-step-value/sdk/evaluators/openai";
import { tinyGguf } from "@agent-step-value/sdk/testing";
import { runChannel, scoreFileText, type ChannelRun } from "./channel.ts";
import { compareSigns, describeChannel } from "./channel-report.ts";
import { askInProcess, differences, listsEveryLabel, noting } from "./cross-check.ts";
import { largest, show, spreadOf } from "./figures.ts";
import { heldTo } from "./instruction-set.ts";
import type { ModelServer, ServerOptions } from "./model-server.ts";
import type { Parts } from "./parts.ts";
import { shortestQuestions } from "./questions.ts";
import type { Tally } from "./tally.ts";
import { withServers } from "./with-servers.ts";

/** Label scores of two engines on one processor's kernels may differ by this much, in nats. */
const TOLERANCE = 1e-2;
const FIXED = { design: "fixed" as const, count: 1, seed: 0 };
const BALANCED = { design: "balanced" as const, count: 4, seed: 0 };

export interface EngineStageOptions {
  setup: ServerOptions;
  model: string;
  servers: number;
  questions: number;
  channels: readonly string[];
  /** Folder for the score files; none are written without it. */
  out: string | undefined;
}

const evaluatorOf = ({ baseUrl }: ModelServer, model: string) =>
  openaiEvaluator({ model, baseUrl, preset: "llama-cpp-server", topLogprobs: 100, timeoutMs: 300_000 });

/** A model that knows nothing, in F32: both engines must say the same, whatever the processor. */
export async function tinyModelStage(
  parts: Parts,
  { modelPath, flashAttention }: Pick<ServerOptions, "modelPath" | "flashAttention">,
  tally: Tally,
): Promise<void> {
  writeFileSync(modelPath, tinyGguf({ bias: { A: 7, B: 6, C: 8, D: 5 }, contextSize: 4096 }));
  const setup = { modelPath, threads: 1, contextSize: 4096 };
  await withServers(1, parts, { ...setup, flashAttention }, tally, async ([server]) => {
    const { evaluator, asked, replies } = noting(evaluatorOf(server, "tiny"));
    const { trajectories } = await shortestQuestions(1);
    await runChannel("direct", BALANCED, trajectories, [evaluator]);
    const own = await askInProcess({ ...setup, reusePrefix: true, scored: asked, rationales: [] });
    const apart = differences(replies, own.scored, asked);
    tally.check("tiny F32 model: server and in-process agree", largest(apart) <= TOLERANCE, spreadOf(apart));
    const raised = own.scored.every((reply) => reply.form === "logprobs" && reply.firstToken?.token === "C");
    tally.check("tiny F32 model: the raised label wins", raised);
  });
}

/** The real model through the SDK: the scorer's promises, repeat noise, and the two engines against each other. */
export async function engineStage(parts: Parts, options: EngineStageOptions, tally: Tally): Promise<void> {
  const { setup, model, channels } = options;
  const { source, trajectories } = await shortestQuestions(options.questions);
  await withServers(options.servers, parts, setup, tally, async (servers) => {
    const [server] = servers;
    console.log(`\n${model} on ${trajectories.length} questions of ${source}`);
    console.log(
      `${servers.length} x llama.cpp server, ${setup.threads} threads each, flash attention ${setup.flashAttention}; ${server.system.trim()}`,
    );
    const [noted, ...others] = servers.map((each) => noting(evaluatorOf(each, model)));
    const { evaluator, asked, replies } = noted!;
    const evaluators = [evaluator, ...others.map((other) => other.evaluator)];
    const cache = memoryCache();
    const runs: ChannelRun[] = [];
    for (const name of channels) {
      const run = await runChannel(name, BALANCED, trajectories, evaluators, cache);
      runs.push(run);
      report(run, trajectories, options.out, tally);
    }
    for (const name of channels) {
      const run = await runChannel(name, FIXED, trajectories, evaluators, cache);
      report({ ...run, name: `${name} fixed` }, trajectories, options.out, tally);
    }
    const again = await runChannel(channels[0]!, BALANCED, trajectories, evaluators, cache);
    tally.check("a second run asks nothing", again.outcome.calls === 0);
    const noise = await repeatNoise(evaluator, asked.slice(0, 8), replies);
    console.log("");
    for (const run of runs.slice(1)) {
      console.log(
        `${runs[0]!.name} against ${run.name}: ${compareSigns(runs[0]!, run, Math.max(noise, 1e-9))}`,
      );
    }
    await crossCheck(server, setup, asked, replies, tally);
  });
}

function report(
  run: ChannelRun,
  trajectories: readonly Trajectory[],
  out: string | undefined,
  tally: Tally,
): void {
  console.log("");
  for (const line of describeChannel(run, trajectories)) console.log(line);
  const { name, plan, outcome } = run;
  tally.check(`${name}: every state scored`, outcome.unscored === 0 && outcome.scored === plan.records);
  // A rationale that ends by itself is the same text under a larger limit; its scores are then there already.
  const fewer = plan.scoredCalls + plan.rationaleCalls - outcome.calls;
  tally.check(
    `${name}: as many calls as planned`,
    (fewer === 0 || (fewer > 0 && name.startsWith("rationale"))) &&
      outcome.cacheHits === plan.cacheHits + fewer,
    fewer > 0 ? `${fewer} fewer, for rationales that were written before` : "",
  );
  if (out === undefined) return;
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, `${name.replace(" ", "-")}.scores.jsonl`), scoreFileText(run));
}

/** Asks once more, in another order and then at once again, and returns the largest difference. */
async function repeatNoise(
  evaluator: ReturnType<typeof evaluatorOf>,
  asked: ReturnType<typeof noting>["asked"],
  replies: ReturnType<typeof noting>["replies"],
): Promise<number> {
  const other = [];
  const twice = [];
  for (const request of asked.toReversed()) {
    const whole = { question: "", candidates: [], blocks: [], ...request };
    other.unshift(await evaluator.score(whole));
    twice.unshift(await evaluator.score(whole));
  }
  const reordered = differences(replies, other, asked);
  const repeated = differences(replies, twice, asked);
  console.log(`\nrepeat noise of the server, nats: in another order ${spreadOf(reordered)}`);
  console.log(`                                  the same prompt twice running ${spreadOf(repeated)}`);
  return Math.max(largest(reordered), largest(repeated));
}

async function crossCheck(
  server: ModelServer,
  { flashAttention, ...setup }: ServerOptions,
  asked: ReturnType<typeof noting>["asked"],
  replies: ReturnType<typeof noting>["replies"],
  tally: Tally,
): Promise<void> {
  // The first prompts of the first channel, which the server answered from a kept prefix as we do.
  const some = asked.slice(0, 24);
  const job = { ...setup, reusePrefix: true, scored: some, rationales: [] };
  const free = await askInProcess(job);
  const held = await heldTo(server.system, () => askInProcess(job));
  const cold = await askInProcess({ ...job, reusePrefix: false, scored: some.slice(0, 8) });
  console.log(
    `\nin-process: ${held.engine}, ${setup.threads} threads, ${(free.seconds / some.length).toFixed(2)} s a call`,
  );

  const promptTokens = (list: typeof replies) => list.map(({ usage }) => usage?.promptTokens);
  const sameTokens = promptTokens(held.scored).every((count, i) => count === replies[i]!.usage?.promptTokens);
  tally.check("server and in-process send the same number of tokens", sameTokens);
  const apart = differences(replies, held.scored, some);
  // The in-process evaluator has flash attention off, and it is no small matter.
  if (flashAttention === "off")
    tally.check(
      "server and in-process agree, same instruction sets",
      largest(apart) <= TOLERANCE,
      spreadOf(apart),
    );
  else console.log(`server against in-process, flash attention on one side only: ${spreadOf(apart)}`);
  console.log(`    each with its own instruction sets: ${spreadOf(differences(replies, free.scored, some))}`);
  const warmed = differences(free.scored, cold.scored, some.slice(0, 8));
  tally.check(
    "in-process: a kept prefix changes no score",
    largest(warmed) <= 1e-3,
    `largest ${show(largest(warmed))}`,
  );
  const listed = free.scored.every((reply, i) => listsEveryLabel(reply, some[i]!));
  tally.check("in-process: every label is listed", listed);
}
