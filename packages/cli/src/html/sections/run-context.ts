import type { GainScale } from "../collect/gain-scale.ts";
import type { RunView } from "../collect/run-view.ts";

/** What all runs of a report are shown with. */
export interface RunContext {
  scale: GainScale;
  /** Bytes of state text a step may take in the file. */
  textBytes: number;
  /** Label layouts of the main channel, B. */
  layouts: number;
  /** Names of the further channels. */
  channelNames: readonly string[];
  rationaleOf: (run: RunView, stateSha256: string | undefined) => string | undefined;
}

/** Bytes of all state texts together. With markup and tables a report stays below 5 MB. */
const ALL_TEXT_BYTES = 1_800_000;

/** Bytes a step may take, so that a small report shows more of each state and a large one stays small. */
export function textBytesOf(steps: number): number {
  return Math.round(Math.min(6000, Math.max(400, ALL_TEXT_BYTES / Math.max(1, steps))));
}
