import { LeftOut, trajectoryTelemetry } from "@agent-step-value/adapter-otel";
import { AsvError } from "@agent-step-value/sdk";
import type { Outcome } from "../exit-code.ts";
import { say, type Io } from "../io.ts";
import { createWarningLog, readRuns } from "../records/read-input.ts";
import { sortFiles } from "../records/score-files.ts";
import { exportTelemetry, type TelemetryOptions } from "./export-telemetry.ts";

export interface OtlpOptions extends TelemetryOptions {
  inlineLimit: number;
  states: "carried" | "digest";
  startTime?: number;
}

/** `--as otlp`: trajectories as `asv.*` spans, big states as log records beside them. */
export async function exportOtlp(
  files: readonly string[],
  options: OtlpOptions,
  io: Io,
  outcome: Outcome,
): Promise<void> {
  const { runs, scores } = await sortFiles(files);
  if (scores.length > 0) {
    throw new AsvError(
      "invalid_argument",
      `${scores[0]} holds scores, which do not travel with --as otlp; --as otlp-evaluations sends step values.`,
    );
  }
  const log = createWarningLog(io);
  const leftOut = new LeftOut();
  const { inlineLimit, states, startTime } = options;
  const settings = { inlineLimit, states, leftOut, ...(startTime !== undefined && { startTime }) };
  let trajectories = 0;
  await exportTelemetry(
    options,
    async ({ batches, records, checkInterrupt }) => {
      for await (const trajectory of readRuns(runs, log)) {
        trajectories++;
        for (const item of trajectoryTelemetry(trajectory, settings)) {
          checkInterrupt();
          if (item.kind === "span") await batches.span(records.span(item));
          else await batches.log(records.log(item));
        }
      }
    },
    { io, outcome, inputs: files },
  );
  say(io, `${trajectories} trajectories read`);
  if (leftOut.counts.size > 0) {
    const names = [...leftOut.counts].map(([name, count]) => `${name} ${count}`).join(", ");
    say(io, `left out, as it must not travel: ${names}`);
  }
}
