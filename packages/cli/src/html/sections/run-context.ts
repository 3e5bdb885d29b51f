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
