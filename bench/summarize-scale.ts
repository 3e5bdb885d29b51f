import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/**
 * Nanoseconds of CPU a draw of the Python reference's bootstrap, which resamples one mean: 5,000 resamples of 2,000
 * trajectories add 1.7 to 2.0 s to its `evaluate`. It does not run here: the figure is from another run.
 */
const REFERENCE_NS = { low: 170, high: 200 };
const MILLION = { trajectories: 100_000, resamples: 1000 };
const MEMORY_BAR_MB = 300;

interface ChildReport {
  steps: number;
  gatherSeconds: number;
  cpuSeconds: number;
  peakRssMb: number;
  rssBefore: number;
}

/** A million steps and a million pairs in bounded memory; the bootstrap beside the reference's. */
export async function run(): Promise<void> {
  for (const mode of ["summarize", "compare"]) {
    const report = await runChild(mode, MILLION.trajectories, MILLION.resamples);
    console.log(
      `${mode}: ${report.steps} ${mode === "compare" ? "pairs" : "steps"} of ${MILLION.trajectories} trajectories, ` +
        `${MILLION.resamples} resamples: peak RSS ${report.peakRssMb.toFixed(0)} MB (${report.rssBefore.toFixed(0)} MB ` +
        `before the first); bar <= ${MEMORY_BAR_MB} MB ${report.peakRssMb <= MEMORY_BAR_MB ? "met" : "MISSED"}; ` +
        `${report.cpuSeconds.toFixed(1)} s of CPU, of which gathering ${report.gatherSeconds.toFixed(1)} s`,
    );
  }
  for (const trajectories of [100, 10_000]) await bootstrap(trajectories, 10_000);
}

async function bootstrap(trajectories: number, resamples: number): Promise<void> {
  const draws = trajectories * resamples;
  const reference = [REFERENCE_NS.low, REFERENCE_NS.high].map((ns) => (draws * ns) / 1e9);
  console.log(
    `bootstrap, B = ${resamples}, ${trajectories} trajectories x 10 steps; the reference resamples one mean in ` +
      `${reference.map((seconds) => seconds.toFixed(2)).join(" to ")} s (computed from its published figure)`,
  );
  const modes = { bootstrap: "one mean", summarize: "a whole summary", compare: "a whole comparison" };
  for (const [mode, what] of Object.entries(modes)) {
    const { cpuSeconds, gatherSeconds } = await runChild(mode, trajectories, resamples);
    const seconds = cpuSeconds - gatherSeconds;
    console.log(
      `  ${what}: ${seconds.toFixed(2)} s of CPU, ${(reference[0]! / seconds).toFixed(1)} to ` +
        `${(reference[1]! / seconds).toFixed(1)} times as fast as that`,
    );
  }
}

async function runChild(mode: string, trajectories: number, resamples: number): Promise<ChildReport> {
  const script = fileURLToPath(new URL("summarize-scale-child.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--conditions=@agent-step-value/source",
    script,
    mode,
    String(trajectories),
    String(resamples),
  ]);
  return JSON.parse(stdout) as ChildReport;
}

if (import.meta.main) await run();
