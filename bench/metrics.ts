import { execFile } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { generateTrajectoryLines, type GeneratorOptions } from "./trajectory-generator.ts";

/**
 * Steps per CPU-second of the Python reference on a file of this shape, read and metrics, one pinned core.
 * The reference does not run here: its figure is from another run, published with its own spread.
 */
const REFERENCE = { low: 8600, high: 9900 };
const SPEED_BAR = 4;
const MEMORY_BAR_MB = 300;
const ROUNDS = 5;

const SPEED_FILE: GeneratorOptions = {
  trajectories: 2000,
  steps: 10,
  candidates: 4,
  stateChars: 600,
  seed: 20261130,
};
const LARGE_FILE: GeneratorOptions = {
  trajectories: 100_000,
  steps: 10,
  candidates: 4,
  stateChars: 40,
  seed: 20261130,
};
/** Resampling 100,000 trajectories 10,000 times takes a minute and no more memory. */
const LARGE_RESAMPLES = 1000;

interface ChildReport {
  steps: number;
  readSeconds: number;
  cpuSeconds: number;
  wallSeconds: number;
  readRssMb: number;
  peakRssMb: number;
}

/** Speed of read + validate + metrics on stored scores, and peak memory while streaming 1,000,000 steps. */
export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "asv-metrics-"));
  try {
    await speed(join(folder, "speed.jsonl"));
    await memory(join(folder, "large.jsonl"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function speed(file: string): Promise<void> {
  const megabytes = await writeFile(file, SPEED_FILE);
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { steps, cpuSeconds } = await runChild(file, ["read"]);
    rates.push(steps / cpuSeconds);
  }
  rates.sort((a, b) => a - b);
  const median = rates[Math.floor(ROUNDS / 2)]!;
  console.log(
    `read + validate + metrics, ${SPEED_FILE.trajectories * SPEED_FILE.steps} steps in ${megabytes.toFixed(1)} MB, ` +
      `${ROUNDS} fresh processes: ${rates.map((rate) => rate.toFixed(0)).join(", ")} steps per CPU-second`,
  );
  console.log(
    `  median ${(median / REFERENCE.high).toFixed(1)} to ${(median / REFERENCE.low).toFixed(1)} times the reference's ` +
      `published ${REFERENCE.low} to ${REFERENCE.high} (from another run, not measured here); bar >= ${SPEED_BAR} ` +
      (median / REFERENCE.high >= SPEED_BAR ? "met" : "MISSED"),
  );
}

/** Once as Node comes, and once with the heap settings of the `asv` command: garbage that waits is no data. */
async function memory(file: string): Promise<void> {
  const megabytes = await writeFile(file, LARGE_FILE);
  for (const heap of [[], ["small-heap"]]) {
    const report = await runChild(file, ["summarize", String(LARGE_RESAMPLES), ...heap]);
    console.log(
      `streaming ${report.steps} steps in ${megabytes.toFixed(0)} MB through read, diagnose and summarize ` +
        `(${LARGE_RESAMPLES} resamples)${heap.map(() => ", heap settings of asv").join("")}: ` +
        `peak RSS ${report.peakRssMb.toFixed(0)} MB (${report.readRssMb.toFixed(0)} MB before the summary); ` +
        `bar <= ${MEMORY_BAR_MB} MB ${report.peakRssMb <= MEMORY_BAR_MB ? "met" : "MISSED"}`,
    );
    console.log(
      `  ${report.cpuSeconds.toFixed(1)} s of CPU, of which reading and metrics ${report.readSeconds.toFixed(1)} s; ` +
        `${report.wallSeconds.toFixed(1)} s of wall time`,
    );
  }
}

/** @returns size in MB */
async function writeFile(file: string, options: GeneratorOptions): Promise<number> {
  const lines = function* () {
    for (const line of generateTrajectoryLines(options)) yield `${line}\n`;
  };
  await pipeline(Readable.from(lines()), createWriteStream(file));
  return (await stat(file)).size / 1e6;
}

async function runChild(file: string, options: readonly string[]): Promise<ChildReport> {
  const script = fileURLToPath(new URL("metrics-child.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--conditions=@agent-step-value/source",
    script,
    file,
    ...options,
  ]);
  return JSON.parse(stdout) as ChildReport;
}

if (import.meta.main) await run();
