// What an import of OTLP takes: CPU time and peak memory, each case in a process of its own.
//   node --conditions=@agent-step-value/source bench/otlp-import.ts [spans]
// Spans are made while they are read, so that no case needs room on the disk but for its own temporary file.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { CASES } from "./otlp-import-spans.ts";

const SPANS = 2_000_000;

interface ChildReport {
  outcome: string;
  spans: number;
  trajectories: number;
  steps: number;
  megabytes: number;
  spilledMb: number;
  cpuSeconds: number;
  wallSeconds: number;
  peakRssMb: number;
}

/** Prints a row a case. */
export async function run(spans = SPANS): Promise<void> {
  console.log(
    "case · spans · input MB · temporary MB · trajectories · steps · CPU s · µs a span · peak RSS MB",
  );
  for (const name of Object.keys(CASES)) {
    const row = await inChild(name, spans);
    const { cpuSeconds, megabytes, spilledMb, peakRssMb, outcome } = row;
    console.log(
      [
        `${name} (${outcome})`,
        row.spans,
        megabytes.toFixed(0),
        spilledMb.toFixed(0),
        row.trajectories,
        row.steps,
        cpuSeconds.toFixed(1),
        ((cpuSeconds / row.spans) * 1e6).toFixed(1),
        peakRssMb.toFixed(0),
      ].join(" · "),
    );
  }
}

async function inChild(name: string, spans: number): Promise<ChildReport> {
  const child = fileURLToPath(new URL("./otlp-import-child.ts", import.meta.url));
  const args = ["--conditions=@agent-step-value/source", child, name, String(spans)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 1_200_000 });
  return JSON.parse(stdout) as ChildReport;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await run(Number(process.argv[2] ?? SPANS));
