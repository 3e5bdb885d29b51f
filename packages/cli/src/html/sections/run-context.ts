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

/** What a report's size depends on. */
export interface ReportSize {
  runs: number;
  steps: number;
  /** Channels beside the main one. */
  others: number;
  rationales: boolean;
}

/** Bytes a report aims to stay below, and what its parts take without the texts of states. */
const ALL_BYTES = 4_700_000;
const HEAD_BYTES = 280_000;
const RUN_BYTES = 1_700;
const STEP_BYTES = 2_900;
const OTHER_CHANNEL_BYTES = 190;

/**
 * Bytes of state text a step may take, so that a small report shows more of each state and a large one stays
 * below 5 MB. A run's first state counts as a step; a rationale takes half as much again.
 */
export function textBytesOf({ runs, steps, others, rationales }: ReportSize): number {
  const markup = HEAD_BYTES + runs * RUN_BYTES + steps * (STEP_BYTES + others * OTHER_CHANNEL_BYTES);
  const texts = (steps + runs) * (rationales ? 1.5 : 1);
  return Math.round(Math.min(6000, Math.max(300, (ALL_BYTES - markup) / Math.max(1, texts))));
}
