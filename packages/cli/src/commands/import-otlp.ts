import type { OtlpImportReport, OtlpProblem } from "@agent-step-value/adapter-otel";
import { AsvError } from "@agent-step-value/sdk";
import { EXIT, type Outcome } from "../exit-code.ts";
import { say, warn, type Io } from "../io.ts";
import { trajectoryRecords } from "../records/trajectory-records.ts";
import { writeRecords } from "../records/write-records.ts";
import { createProgress } from "../terminal/progress.ts";
import { lossesOf } from "./import-otlp-losses.ts";

/** Options of `asv import otlp`. */
export interface ImportOtlpOptions {
  out?: string;
  json?: boolean;
  states?: string[];
  convention?: string;
}

const MB = 1e6;

/**
 * `asv import otlp FILE...`: OTLP files of any framing, exports and dumps of spans. Ends with 4 where
 * something of the input was lost, and with 2, leaving the output as it was, where no trajectory came of it.
 */
export async function importOtlpFiles(
  files: readonly string[],
  options: ImportOtlpOptions,
  io: Io,
  outcome: Outcome,
): Promise<void> {
  // Loaded on use: no other command needs it.
  const { importOtlp } = await import("@agent-step-value/adapter-otel");
  const progress = createProgress("reading", io.stderr, io.quiet);
  const run = importOtlp(files, {
    ...(options.states !== undefined && { states: options.states }),
    ...(options.convention !== undefined && { convention: options.convention }),
    onProgress: (bytes) => progress.update(Math.floor(bytes / MB), undefined, "MB"),
  });
  const { report } = run;
  try {
    await writeRecords(options.out, async (write) => {
      for await (const trajectory of run) {
        progress.stop();
        for (const record of trajectoryRecords(trajectory)) await write(record);
      }
      if (report.outcome === "unusable") throw nothingIn(report);
    });
  } finally {
    progress.stop();
    if (report.fileCount > 0) {
      if (options.json) io.stdout.write(`${JSON.stringify(report)}\n`);
      tell(report, options.out, io);
    }
  }
  if (report.outcome === "partial") outcome.exitCode = EXIT.partial;
}

function nothingIn({ spans, fileCount }: OtlpImportReport): AsvError {
  const held = spans.read === 0 ? "no span" : `${spans.read} spans and no agent run among them`;
  return new AsvError(
    "unreadable_source",
    `there is no trajectory in ${fileCount} file(s), which hold ${held}. Check that they are OTLP traces, and that the agent's instrumentation recorded its inputs and outputs.`,
  );
}

function tell(report: OtlpImportReport, out: string | undefined, io: Io): void {
  const { trajectories, steps, fidelity, records, fileCount, spans } = report;
  const rebuilt = fidelity["reconstructed"] ?? 0;
  const how = rebuilt > 0 ? ` (${rebuilt} reconstructed from calls)` : "";
  const where = out === undefined || out === "-" ? "" : ` -> ${out}`;
  const from = `${spans.read} spans in ${records} messages of ${fileCount} file(s)`;
  if (trajectories > 0)
    say(io, `imported ${trajectories} trajectories${how}, ${steps} steps from ${from}${where}`);
  for (const [code, count] of Object.entries(report.problemCounts)) {
    const first = report.problems.find((problem) => problem.code === code);
    warn(io, `${code} (${count}): ${first === undefined ? "" : placeOf(first)}`);
  }
  for (const [code, count] of Object.entries(report.warningCounts)) {
    const first = report.warnings.find((warning) => warning.code === code);
    warn(io, `${code} (${count}): ${first?.message ?? ""}`);
  }
  for (const loss of lossesOf(report)) warn(io, loss);
}

function placeOf({ source, offset, within, message, reason }: OtlpProblem): string {
  const unpacked = within === "decompressed" ? " of the decompressed data" : "";
  const number = message === undefined ? "" : `, message ${message}`;
  return `${source}: at byte ${offset}${unpacked}${number}: ${reason}`;
}
