import { encodeTrajectory, stateSha256, type Trajectory } from "@agent-step-value/sdk";
import type { OtlpSource } from "../framing/source.ts";
import { importOtlp } from "./import-otlp.ts";
import type { OtlpImportOptions } from "./import-options.ts";
import type { OtlpImportReport } from "./import-report.ts";

export interface Imported {
  trajectories: Trajectory[];
  /** As they would be written. */
  lines: string[];
  report: OtlpImportReport;
}

/** A whole import. */
export async function imported(
  sources: OtlpSource | readonly OtlpSource[],
  options: OtlpImportOptions = {},
): Promise<Imported> {
  const run = importOtlp(sources, options);
  const trajectories: Trajectory[] = [];
  for await (const trajectory of run) trajectories.push(trajectory);
  const lines = trajectories.map((trajectory) => JSON.stringify(encodeTrajectory(trajectory)));
  return { trajectories, lines, report: run.report };
}

/** Digests of a run's states, before and after each step. */
export function digestsOf({ steps }: Trajectory): (string | undefined)[][] {
  return steps.map(({ stateBefore, stateAfter }) => [
    stateBefore && stateSha256(stateBefore),
    stateAfter && stateSha256(stateAfter),
  ]);
}
