import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  defineProtocol,
  planScoring,
  protocols,
  type ScoreFileRecord,
  type State,
  type Trajectory,
} from "@agent-step-value/sdk";
import { openaiEvaluator } from "@agent-step-value/sdk/evaluators/openai";
import { fileCache, score } from "@agent-step-value/sdk/score";
import { fixtureTrajectory } from "@agent-step-value/sdk/testing";

const CALLS = 20_000;
const CONCURRENCY = 32;
const PARTS = 5;
/** Records that a paused run has ready, and whose calls a part must not be credited with. */
const WARM_UP = 4 * CONCURRENCY;
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

/** One scoring run, and between its fifths the same number of calls by a plain client, since machines differ by the minute. */
async function throughput(latencyMs: number): Promise<void> {
  const child = fork(fileURLToPath(new URL("model-server-child.ts", import.meta.url)), [String(latencyMs)]);
  const folder = await mkdtemp(join(tmpdir(), "asv-scoring-"));
  try {
    const [baseUrl] = (await once(child, "message")) as [string];
    await plainClient(baseUrl, 2000, "warm-up");
    const plain: Speed[] = [];
    const scored: Speed[] = [];
    const memory: NodeJS.MemoryUsage[] = [];
    const evaluator = openaiEvaluator({ model: "m", baseUrl });
    const protocol = defineProtocol({ ...protocols.direct, evaluator: evaluator.settings });
    const cache = fileCache(folder);
    const records = score(trajectories(CALLS), { evaluator, protocol, cache, concurrency: CONCURRENCY });
    await scoredRecords(records, WARM_UP); // the protocol's record, and what a pause had let run ahead
    for (let part = 0; part < PARTS; part++) {
      scored.push(await timed(CALLS / PARTS - WARM_UP, (count) => scoredRecords(records, count)));
      globalThis.gc?.();
      memory.push(process.memoryUsage());
      plain.push(await timed(CALLS / PARTS, (count) => plainClient(baseUrl, count, `part ${part}`)));
      await scoredRecords(records, WARM_UP);
    }
    await cache.close();
    const { repeated, scored: answered } = await countsOf(child);
    if (answered !== 2 * CALLS + 2000) throw new Error(`${answered} answers for ${CALLS} states`);
    printThroughput(latencyMs, plain, scored, repeated);
    const mb = (of: "heapUsed" | "rss") => memory.map((usage) => (usage[of] / 1e6).toFixed(0)).join(", ");
    console.log(`  memory after each part of the run: heap ${mb("heapUsed")} MB, RSS ${mb("rss")} MB`);
  } finally {
    child.disconnect();
    await rm(folder, { recursive: true, force: true });
  }
}

function printThroughput(latencyMs: number, plain: Speed[], scored: Speed[], repeated: number): void {
  const shares = scored.map(({ perSecond }, i) => perSecond / plain[i]!.perSecond);
  const share = median(shares);
  const verdict = share >= BAR ? "met" : "MISSED";
  const shown = (speeds: Speed[]) =>
    `${median(speeds.map(({ perSecond }) => perSecond)).toFixed(0)}/s at ${median(speeds.map(({ cpuMs }) => cpuMs)).toFixed(2)} ms of CPU a call`;
  console.log(
    `server latency ${latencyMs} ms, ${CONCURRENCY} at a time, ${CALLS} calls each in ${PARTS} turns: plain fetch ${shown(plain)}, ` +
      `asv ${shown(scored)}; ${shares.map((part) => (part * 100).toFixed(0)).join(", ")} %, median ${(share * 100).toFixed(0)} %; ` +
      `${latencyMs === 0 ? "no bar" : `bar >= ${BAR * 100} % ${verdict}`}; ${repeated} calls repeated`,
  );
}

async function scoredRecords(records: AsyncIterator<ScoreFileRecord>, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const { value } = await records.next();
    if (value !== undefined && "record" in value && value.record === "unscored")
      throw new Error(value.reason);
  }
}

interface Speed {
  perSecond: number;
  cpuMs: number;
}

/** The same size of body, sent by fetch alone: parsed, counted, thrown away. */
async function plainClient(baseUrl: string, calls: number, salt: string): Promise<void> {
  const text = filler(0, 2400);
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let n = next++; n < calls; n = next++) {
      const content = `${text}${salt} ${n}\nA = candidate_id: a\nB = candidate_id: b\nC = candidate_id: c\n`;
      const body = {
        model: "m",
        messages: [{ role: "user", content }],
        max_tokens: 1,
        logprobs: true,
        top_logprobs: 20,
      };
      const response = await fetch(`${baseUrl}/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      const reply = (await response.json()) as { choices: unknown[] };
      if (reply.choices.length !== 1) throw new Error("the server answered something else");
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
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

async function timed(calls: number, work: (calls: number) => Promise<void>): Promise<Speed> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await work(calls);
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: calls / seconds, cpuMs: (user + system) / 1000 / calls };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

async function countsOf(child: ChildProcess): Promise<{ repeated: number; scored: number }> {
  child.send("counts");
  const [counts] = (await once(child, "message")) as [{ repeated: number; scored: number }];
  return counts;
}
