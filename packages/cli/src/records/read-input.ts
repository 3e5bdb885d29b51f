import type { Trajectory } from "@agent-step-value/sdk";
import { readTrajectories, type ReadOptions, type ReadWarning } from "@agent-step-value/sdk/jsonl";
import { warn, type Io } from "../io.ts";

/** How many warnings of a kind are printed one by one; the rest is counted. */
const SHOWN = 5;

/** Prints what readers went past, a few of each kind, and keeps count. */
export interface WarningLog extends ReadOptions {
  onWarning: (warning: ReadWarning) => void;
  /** Warnings by code. */
  counts: Record<string, number>;
  /** Says how many more there were of each kind. */
  finish(): void;
}

export function createWarningLog(io: Io): WarningLog {
  const counts: Record<string, number> = {};
  return {
    counts,
    onWarning: ({ code, message }) => {
      const seen = (counts[code] = (counts[code] ?? 0) + 1);
      if (seen <= SHOWN) warn(io, message);
    },
    finish: () => {
      for (const [code, seen] of Object.entries(counts)) {
        if (seen > SHOWN) warn(io, `${code}: ${seen - SHOWN} more of this kind`);
      }
    },
  };
}

/** Trajectories of the files a command was given. */
export async function* readRuns(files: readonly string[], log: WarningLog): AsyncGenerator<Trajectory> {
  yield* readTrajectories(files, log);
  log.finish();
}
