// CPU of one run of the workload under every variant, in interleaved rounds.
//   npm ci --ignore-scripts && node bench.mjs [variant ...]
//   RUNS=100 WARM=500 ROUNDS=15   STEPS=2 RESULT_CHARS=560   OUT=file.json
import { fork } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { builtIn, splitVariant, variants } from "./variants.mjs";
import { setting } from "./workload.mjs";

const here = import.meta.dirname;
const runs = Number(process.env.RUNS ?? 100);
const warm = Number(process.env.WARM ?? 500);
const rounds = Number(process.env.ROUNDS ?? 15);
const chosen = process.argv.slice(2);
const names = [
  ...new Set(["none", "noop-callback", ...(chosen.length > 0 ? chosen : Object.keys(variants))]),
];
const peers = ["openinference", "langfuse", "traceloop", "langsmith"];

for (const variant of names) {
  const { name, folder } = splitVariant(variant);
  if (!Object.hasOwn(variants, name)) {
    console.error(`There is no variant ${name}, but ${Object.keys(variants).join(", ")}.`);
    process.exit(1);
  }
  if (!existsSync(builtIn(folder))) {
    console.error(
      `The adapter is not built in ${folder}. There: npm run build -w @agent-step-value/sdk -w @agent-step-value/adapter-langchain`,
    );
    process.exit(1);
  }
}

/** The value below which `part` of the values lie. */
function quantile(values, part) {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * part;
  const below = sorted[Math.floor(place)];
  return below + (sorted[Math.ceil(place)] - below) * (place % 1);
}

const median = (values) => quantile(values, 0.5);

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
/** CPU of a tenth of the rounds, those that were disturbed least. */
const quiet = (name) =>
  quantile(
    seen[name].map((result) => result.cpu),
    0.1,
  );
const table = names.map((name) => {
  const toNoop = ratios(name, "noop-callback");
  return {
    variant: name,
    "CPU us/run": Math.round(median(seen[name].map((result) => result.cpu))),
    "x none": Number(median(ratios(name, "none")).toFixed(3)),
    "x no-op": Number(median(toNoop).toFixed(3)),
    "min-max": `${Math.min(...toNoop).toFixed(2)}-${Math.max(...toNoop).toFixed(2)}`,
    "quiet us/run": Math.round(quiet(name)),
    "quiet x no-op": Number((quiet(name) / quiet("noop-callback")).toFixed(3)),
    "wall us/run": Math.round(median(seen[name].map((result) => result.wall))),
    "spans/run": seen[name][0].spans,
    "heap MB": Math.round(median(seen[name].map((result) => result.heapMb))),
  };
});
console.log(
  `\n${setting.steps} model calls, results of ${setting.resultChars} characters, Node ${process.version}, ${runs} runs a variant and round after ${warm} to warm up, ${rounds} rounds; medians of the ratios within each round`,
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
    `${JSON.stringify({ node: process.version, ...setting, runs, rounds, table }, null, 2)}\n`,
  );
