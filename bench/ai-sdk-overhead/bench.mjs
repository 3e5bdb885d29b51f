// CPU of one run of the workload under every variant, in interleaved rounds.
//   npm ci --ignore-scripts --legacy-peer-deps && node bench.mjs [variant ...]
//   RUNS=40 WARM=2000 ROUNDS=60 PROCESSES=3   AI_MAJOR=7|6|5   STREAM=1   PROMPT_KB=1   STEPS=3   EXPORT=json   OUT=file.json
import { fork } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { setting } from "./workload.mjs";
import { peers, variantNames } from "./variants.mjs";

const here = import.meta.dirname;
const runs = Number(process.env.RUNS ?? 40);
const warm = Number(process.env.WARM ?? 2000);
const rounds = Number(process.env.ROUNDS ?? 60);
/** Processes a variant, which take turns: the same code is up to a tenth faster in one process than in another. */
const processes = Number(process.env.PROCESSES ?? 3);
const chosen = process.argv.slice(2);
const names = [...new Set(["base", ...(chosen.length > 0 ? chosen : variantNames())])];

if (!existsSync(`${here}/../../packages/adapter-ai-sdk/dist/index.js`)) {
  console.error(
    "The adapter is not built. In the root folder: npm run build -w @agent-step-value/sdk -w @agent-step-value/adapter-ai-sdk",
  );
  process.exit(1);
}

/** The value below which `part` of the values lie. */
function quantile(values, part) {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * part;
  const below = sorted[Math.floor(place)];
  return below + (sorted[Math.ceil(place)] - below) * (place % 1);
}

const median = (values) => quantile(values, 0.5);

/** A process, alive for the whole bench; only the one that is told to runs. */
function start(name) {
  return fork(`${here}/variant.mjs`, [name], { cwd: here, execArgv: ["--expose-gc"] });
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
  children[name] = Array.from({ length: processes }, () => start(name));
  for (const child of children[name]) await answer(child);
}
for (const name of names) for (const child of children[name]) await measure(child, warm);

const seen = Object.fromEntries(names.map((name) => [name, []]));
for (let round = 0; round < rounds; round++) {
  // Another one first in every round, so that a load that comes and goes favours none.
  const order = names.map((_, i) => names[(i + round) % names.length]);
  for (const name of order) seen[name].push(await measure(children[name][round % processes], runs));
  const shown = names.map((name) => `${name} ${(seen[name][round].cpu / 1000).toFixed(2)}`);
  console.log(`round ${round + 1}: ${shown.join("  ")}  (CPU ms a run)`);
}
const totals = {};
for (const name of names) {
  const each = [];
  for (const child of children[name]) each.push(await measure(child, 0));
  totals[name] = {
    exported: each.reduce((sum, { exported }) => sum + exported, 0),
    heapMb: median(each.map(({ heapMb }) => heapMb)),
  };
}
for (const child of Object.values(children).flat()) child.kill();

const ratios = (name, base) => seen[name].map((result, round) => result.cpu / seen[base][round].cpu);
/** CPU of a tenth of the rounds, those that were disturbed least. */
const quiet = (name) =>
  quantile(
    seen[name].map((result) => result.cpu),
    0.1,
  );
const table = names.map((name) => ({
  variant: name,
  "CPU us/run": Math.round(median(seen[name].map((result) => result.cpu))),
  "x base": Number(median(ratios(name, "base")).toFixed(3)),
  ...(names.includes("otel") && { "x otel": Number(median(ratios(name, "otel")).toFixed(3)) }),
  "quiet us/run": Math.round(quiet(name)),
  ...(names.includes("otel") && { "quiet x otel": Number((quiet(name) / quiet("otel")).toFixed(3)) }),
  "wall us/run": Math.round(median(seen[name].map((result) => result.wall))),
  "exported/run": Number((totals[name].exported / (warm * processes + runs * rounds)).toFixed(2)),
  "heap MB": Math.round(totals[name].heapMb),
}));
console.log(
  `\nai ${setting.major}, ${setting.streams ? "streamText" : "generateText"}, ${setting.steps} steps, prompt of ${setting.promptKb} kB, Node ${process.version}, ` +
    `${processes} processes a variant, ${runs} runs a round after ${warm} to warm up, ${rounds} rounds; medians of the ratios within each round`,
);
console.table(table);

if (names.includes("asv") && names.includes("otel")) {
  const bar = setting.major === 7 && !setting.streams ? 0.75 : 1;
  const others = peers.filter((name) => names.includes(name));
  const below = others.filter((name) => median(ratios("asv", name)) < 1);
  console.log(
    `AI SDK ${setting.major} capture, CPU against the SDK's own OpenTelemetry in the same rounds | bar <= ${bar} ` +
      `| ${median(ratios("asv", "otel")).toFixed(3)} | below ${below.length} of ${others.length} others: ${below.join(", ") || "none"}`,
  );
}
if (process.env.OUT) {
  const result = { node: process.version, ...setting, processes, runs, rounds, table };
  writeFileSync(process.env.OUT, `${JSON.stringify(result, null, 2)}\n`);
}
