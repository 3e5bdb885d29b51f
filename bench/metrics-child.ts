import { setFlagsFromString } from "node:v8";
import { createSummarizer, diagnoseTrajectory } from "@agent-step-value/sdk";
import { readTrajectories } from "@agent-step-value/sdk/jsonl";

/**
 * Reads, validates and diagnoses one file with stored scores, and with `summarize` also summarizes it.
 * Prints what it took as one line of JSON. `small-heap` sets the heap as the `asv` command does. A process of its own, so that peak memory is its own.
 */
const [file, mode, resamples, heap] = process.argv.slice(2);
if (heap === "small-heap") {
  for (const flag of ["--semi-space-growth-factor=1", "--heap-growing-percent=20"]) setFlagsFromString(flag);
}
const summarizer = mode === "summarize" ? createSummarizer({ resamples: Number(resamples) }) : undefined;
const wallStart = performance.now();
const cpuStart = process.cpuUsage();
let steps = 0;
let surprise = 0;
for await (const trajectory of readTrajectories(file!)) {
  for (const step of diagnoseTrajectory(trajectory, "provided")) {
    steps++;
    surprise += step.diagnostics?.surprise ?? 0;
    summarizer?.add(step);
  }
}
const readSeconds = cpuSeconds();
const readRss = peakRss();
const summary = summarizer?.finish();
console.log(
  JSON.stringify({
    steps,
    meanSurprise: surprise / steps,
    meanGain: summary?.marginGain.mean,
    interval: summary?.marginGain.interval,
    readSeconds,
    cpuSeconds: cpuSeconds(),
    wallSeconds: (performance.now() - wallStart) / 1000,
    readRssMb: readRss,
    peakRssMb: peakRss(),
  }),
);

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage(cpuStart);
  return (user + system) / 1e6;
}

function peakRss(): number {
  return process.resourceUsage().maxRSS / 1024;
}
