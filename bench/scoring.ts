import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineProtocol, planScoring, protocols, type State, type Trajectory } from "@agent-step-value/sdk";
import { openaiEvaluator } from "@agent-step-value/sdk/evaluators/openai";
import { fileCache, score } from "@agent-step-value/sdk/score";
import { fixtureTrajectory } from "@agent-step-value/sdk/testing";

const CALLS = 20_000;
const CONCURRENCY = 32;
/**
 * A server that answers at once shows what a call costs in CPU: nothing else happens. A first token of a
 * hosted model takes a tenth of a second at best, and there the bar holds.
 */
const LATENCIES_MS = [0, 100];
const BAR = 0.8;
const STATE_CHARS = 1600;
const STATES = 20;
const PLANNED_STATES = 1_000_000;

/** Calls a second of a scoring run against a plain client, memory during the run, and a large dry run. */
export async function run(): Promise<void> {
  for (const latency of LATENCIES_MS) await throughput(latency);
  await dryRun();
}

async function throughput(latencyMs: number): Promise<void> {
  const child = fork(fileURLToPath(new URL("model-server-child.ts", import.meta.url)), [String(latencyMs)]);
  const folder = await mkdtemp(join(tmpdir(), "asv-scoring-"));
  try {
    const [baseUrl] = (await once(child, "message")) as [string];
    await plainClient(baseUrl, 2000, "warm-up");
    const plain = await plainClient(baseUrl, CALLS, "plain");
    const scored = await scoringRun(baseUrl, folder);
    const { repeated } = await countsOf(child);
    const share = scored.perSecond / plain.perSecond;
    console.log(
      `server latency ${latencyMs} ms, ${CONCURRENCY} at a time, ${CALLS} calls each: plain fetch ${plain.perSecond.toFixed(0)}/s ` +
        `(${plain.cpuMs.toFixed(2)} ms of CPU a call), asv ${scored.perSecond.toFixed(0)}/s (${scored.cpuMs.toFixed(2)} ms): ` +
        `${(share * 100).toFixed(0)} %; ${latencyMs === 0 ? "no bar" : `bar >= ${BAR * 100} % ${share >= BAR ? "met" : "MISSED"}`}; ${repeated} repeated`,
    );
    console.log(
      `  memory after each fifth of the run: heap ${scored.heapMb.join(", ")} MB, RSS ${scored.rssMb.join(", ")} MB`,
    );
  } finally {
    child.disconnect();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Speed {
  perSecond: number;
  cpuMs: number;
}

/** The same size of body, sent by fetch alone: parsed, counted, thrown away. */
async function plainClient(baseUrl: string, calls: number, salt: string): Promise<Speed> {
  const text = filler(0, 2400);
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let n = next++; n < calls; n = next++) {
      const content = `${text}${salt} ${n}\nA = candidate_id: a\nB = candidate_id: b\nC = candidate_id: c\n`;
      const response = await fetch(`${baseUrl}/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          model: "m",
          messages: [{ role: "user", content }],
          max_tokens: 1,
          logprobs: true,
          top_logprobs: 20,
        }),
      });
      const reply = (await response.json()) as { choices: unknown[] };
      if (reply.choices.length !== 1) throw new Error("the server answered something else");
    }
  };
  return timed(calls, () => Promise.all(Array.from({ length: CONCURRENCY }, worker)));
}

async function scoringRun(baseUrl: string, folder: string) {
  const evaluator = openaiEvaluator({ model: "m", baseUrl });
  const protocol = defineProtocol({ ...protocols.direct, evaluator: evaluator.settings });
  const cache = fileCache(folder);
  const heapMb: string[] = [];
  const rssMb: string[] = [];
  let scored = 0;
  const speed = await timed(CALLS, async () => {
    for await (const { record } of score(trajectories(CALLS), {
      evaluator,
      protocol,
      cache,
      concurrency: CONCURRENCY,
    })) {
      if (record !== "score" || ++scored % (CALLS / 5) !== 0) continue;
      globalThis.gc?.();
      heapMb.push((process.memoryUsage().heapUsed / 1e6).toFixed(0));
      rssMb.push((process.memoryUsage().rss / 1e6).toFixed(0));
    }
  });
  await cache.close();
  if (scored !== CALLS) throw new Error(`${scored} of ${CALLS} states were scored`);
  return { ...speed, heapMb, rssMb };
}

async function dryRun(): Promise<void> {
  const evaluator = openaiEvaluator({ model: "m", baseUrl: "http://127.0.0.1:9/v1" });
  const protocol = defineProtocol({ ...protocols.direct, evaluator: evaluator.settings });
  const folder = await mkdtemp(join(tmpdir(), "asv-plan-"));
  const cache = fileCache(folder);
  let peak = 0;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 200);
  try {
    const start = performance.now();
    const plan = await planScoring(trajectories(PLANNED_STATES), { evaluator, protocol, cache });
    const seconds = (performance.now() - start) / 1000;
    console.log(
      `dry run of ${plan.states} states: ${plan.scoredCalls} calls, ${plan.promptTokens} tokens in ${seconds.toFixed(0)} s ` +
        `(${(plan.states / seconds).toFixed(0)} states/s), peak RSS ${(Math.max(peak, process.memoryUsage().rss) / 1e6).toFixed(0)} MB`,
    );
  } finally {
    clearInterval(timer);
    await cache.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Trajectories with so many different states in all. */
function* trajectories(states: number): Generator<Trajectory> {
  for (let first = 0; first < states; first += STATES) {
    const number = first / STATES;
    const own = Array.from({ length: STATES }, (_, i) => ({
      blocks: [{ kind: "evidence", text: filler(first + i, STATE_CHARS) }],
    }));
    yield fixtureTrajectory({
      trajectoryId: `t${number}`,
      question: `Question ${number}`,
      states: own as unknown as State[],
    });
  }
}

function filler(seed: number, chars: number): string {
  const sentence = `Reading ${seed} of the gauge is ${(seed * 7919) % 1000} mm above datum. `;
  return sentence.repeat(Math.ceil(chars / sentence.length)).slice(0, chars);
}

async function timed(calls: number, work: () => Promise<unknown>): Promise<Speed> {
  globalThis.gc?.();
  const cpu = process.cpuUsage();
  const start = performance.now();
  await work();
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: calls / seconds, cpuMs: (user + system) / 1000 / calls };
}

async function countsOf(child: ChildProcess): Promise<{ repeated: number }> {
  child.send("counts");
  const [counts] = (await once(child, "message")) as [{ repeated: number }];
  return counts;
}
