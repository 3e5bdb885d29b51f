import { importOtlp } from "@agent-step-value/adapter-otel";
import { CASES } from "./otlp-import-spans.ts";

/** Imports one case and prints what it took as one line of JSON. A process of its own, so that peak memory is its own. */
const [name = "", count = ""] = process.argv.slice(2);
const make = CASES[name as keyof typeof CASES];
const wall = performance.now();
const run = importOtlp(make(Number(count)));
let steps = 0;
for await (const trajectory of run) steps += trajectory.steps.length;
const { report } = run;
const { user, system } = process.cpuUsage();
console.log(
  JSON.stringify({
    outcome: report.outcome,
    spans: report.spans.read,
    trajectories: report.trajectories,
    steps,
    megabytes: report.files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6,
    spilledMb: report.spilledBytes / 1e6,
    cpuSeconds: (user + system) / 1e6,
    wallSeconds: (performance.now() - wall) / 1000,
    peakRssMb: process.resourceUsage().maxRSS / 1024,
  }),
);
