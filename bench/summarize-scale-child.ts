import { setFlagsFromString } from "node:v8";
import {
  createComparer,
  createRandom,
  createSummarizer,
  trajectoryBootstrap,
  type DiagnosedStep,
  type Random,
} from "@agent-step-value/sdk";

/**
 * One measurement of `summarize-scale`, printed as a line of JSON. A process of its own, so that peak memory is its
 * own; the heap is set as the `asv` command sets it.
 */
const [mode, trajectories, resamples] = process.argv.slice(2) as [string, string, string];
for (const flag of ["--semi-space-growth-factor=1", "--heap-growing-percent=20"]) setFlagsFromString(flag);

const ACTIONS = "classify plan validate retrieve extract draft audit revise verify finalize".split(" ");
const CHANCE_TO_MOVE = 0.25;

const count = Number(trajectories);
const options = { resamples: Number(resamples) };
const random = createRandom(20261130);
const start = process.cpuUsage();
const rssBefore = peakRss();
const result = measure();
console.log(JSON.stringify({ ...result, cpuSeconds: cpuSeconds(), rssBefore, peakRssMb: peakRss() }));

function measure() {
  if (mode === "bootstrap") return bootstrap();
  return mode === "compare" ? compare() : summarizeAll();
}

function summarizeAll() {
  const summarizer = createSummarizer(options);
  for (let t = 0; t < count; t++) for (const step of stepsOf(t, random)) summarizer.add(step);
  const gatherSeconds = cpuSeconds();
  const { counts, marginGain } = summarizer.finish();
  return { steps: counts.steps, gatherSeconds, mean: marginGain.mean };
}

function compare() {
  const comparer = createComparer({ name: "a" }, { name: "b" }, options);
  for (let t = 0; t < count; t++) comparer.add(stepsOf(t, random), stepsOf(t, random));
  const gatherSeconds = cpuSeconds();
  const { coverage, all } = comparer.finish();
  return { steps: coverage.paired, gatherSeconds, mean: all.signed.mean };
}

/** The interval of one mean, which is all the reference resamples. */
function bootstrap() {
  const sums = Float64Array.from({ length: count }, () => gainOf(random) * 10);
  const counts = new Float64Array(count).fill(10);
  const before = cpuSeconds();
  const interval = trajectoryBootstrap(sums, counts, options);
  return { steps: count * 10, gatherSeconds: before, mean: interval.low };
}

function stepsOf(t: number, source: Random): DiagnosedStep[] {
  return ACTIONS.map((action, index) => {
    const gain = gainOf(source);
    return {
      trajectoryId: `trajectory-${t}`,
      stepId: `step-${index}`,
      index,
      action,
      protocolId: "rho-0123456789abcdef",
      evaluatorKind: "bench",
      flags: [],
      transition: {
        candidateSetSha256: "set",
        stateBeforeSha256: `before ${t} ${index}`,
        stateAfterSha256: `after ${t} ${index}`,
        targetId: "cand-1",
      },
      diagnostics: {
        beliefBefore: { "cand-1": 0.4, "cand-2": 0.6 },
        beliefAfter: { "cand-1": gain > 0 ? 0.6 : 0.4, "cand-2": gain > 0 ? 0.4 : 0.6 },
        entropyBefore: 0,
        entropyAfter: 0,
        entropyMovement: 0,
        surprise: Math.abs(gain) / 3,
        marginBefore: -gain / 2,
        marginAfter: gain / 2,
        marginGain: gain,
        layoutSpread: 0,
        damage: gain < 0,
        repair: gain > 0,
        flags: [],
      },
    };
  });
}

function gainOf(source: Random): number {
  return source.unit() < CHANCE_TO_MOVE ? 40 * (source.unit() - 0.6) : 0;
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

function peakRss(): number {
  return process.resourceUsage().maxRSS / 1024;
}
