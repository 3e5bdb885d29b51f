// CPU of one run of the workload under every variant, in interleaved rounds.
//   npm ci --ignore-scripts && node bench.mjs [variant ...]        RUNS=100 WARM=500 ROUNDS=15
import { fork } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { variants } from "./variants.mjs";

const here = import.meta.dirname;
const runs = Number(process.env.RUNS ?? 100);
const warm = Number(process.env.WARM ?? 500);
const rounds = Number(process.env.ROUNDS ?? 15);
const chosen = process.argv.slice(2);
const names = [
  ...new Set(["none", "noop-callback", ...(chosen.length > 0 ? chosen : Object.keys(variants))]),
];
const peers = ["openinference", "langfuse", "traceloop", "langsmith"];

if (!existsSync(`${here}/../../packages/adapter-langchain/dist/index.js`)) {
  console.error(
    "The adapter is not built. In the root folder: npm run build -w @agent-step-value/sdk -w @agent-step-value/adapter-langchain",
  );
  process.exit(1);
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** A process for each variant, alive for the whole bench; only the one that is told to runs. */
function start(name) {
  const env = { ...process.env, LANGSMITH_TRACING: "false", LANGCHAIN_TRACING_V2: "false" };
  return fork(`${here}/variant.mjs`, [name], { cwd: here, env, execArgv: ["--expose-gc"] });
}

function answer(child) {
  return new Promise((resolve, reject) => {
    const ended = (code) => reject(new Error(`a variant ended with ${code}`));
    child.once("exit", ended);
    child.once("message", (message) => {
      child.off("exit", ended);
      resolve(message);
    });
  });
}

async function measure(child, count) {
  const result = answer(child);
  child.send(count);
  return result;
}

const children = {};
for (const name of names) {
  const child = start(name);
  await answer(child);
  children[name] = child;
}
for (const name of names) await measure(children[name], warm);

const seen = Object.fromEntries(names.map((name) => [name, []]));
for (let round = 0; round < rounds; round++) {
  // Another one first in every round, so that a load that comes and goes favours none.
  const order = names.map((_, i) => names[(i + round) % names.length]);
  for (const name of order) seen[name].push(await measure(children[name], runs));
  const shown = names.map((name) => `${name} ${(seen[name][round].cpu / 1000).toFixed(2)}`);
  console.log(`round ${round + 1}: ${shown.join("  ")}  (CPU ms a run)`);
}
for (const child of Object.values(children)) child.kill();

const ratios = (name, base) => seen[name].map((result, round) => result.cpu / seen[base][round].cpu);
const table = names.map((name) => {
  const toNoop = ratios(name, "noop-callback");
  return {
    variant: name,
    "CPU us/run": Math.round(median(seen[name].map((result) => result.cpu))),
    "x none": Number(median(ratios(name, "none")).toFixed(3)),
    "x no-op": Number(median(toNoop).toFixed(3)),
    "min-max": `${Math.min(...toNoop).toFixed(2)}-${Math.max(...toNoop).toFixed(2)}`,
    "wall us/run": Math.round(median(seen[name].map((result) => result.wall))),
    "spans/run": seen[name][0].spans,
    "heap MB": Math.round(median(seen[name].map((result) => result.heapMb))),
  };
});
console.log(
  `\nNode ${process.version}, ${runs} runs a variant and round after ${warm} to warm up, ${rounds} rounds; medians of the ratios within each round`,
);
console.table(table);

const ratioOf = (name) => table.find((row) => row.variant === name)?.["x no-op"];
const ours = ratioOf("asv");
const others = peers.filter((name) => names.includes(name));
if (ours !== undefined) {
  const below = others.filter((name) => median(ratios("asv", name)) < 1);
  console.log(
    `LangChain capture, CPU against a no-op callback handler | bar <= 1.25 | ${ours} ` +
      `| below ${below.length} of ${others.length} others in the same rounds: ${below.join(", ") || "none"}`,
  );
}
if (process.env.OUT)
  writeFileSync(
    process.env.OUT,
    `${JSON.stringify({ node: process.version, runs, rounds, table }, null, 2)}\n`,
  );
