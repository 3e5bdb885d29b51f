import type { GainScale } from "../collect/gain-scale.ts";
import type { RunView } from "../collect/run-view.ts";
import type { NumberMarkup } from "../markup/number.ts";

/** What all runs of a report are shown with. */
export interface RunContext {
  scale: GainScale;
  /** Bytes of state text a step may take in the file. */
  textBytes: number;
  /** Numbers of a step's card; the table of steps holds them unrounded in any case. */
  numbers: NumberMarkup;
  /** Label layouts of the main channel, B. */
  layouts: number;
  /** Names of the further channels. */
  channelNames: readonly string[];
  rationaleOf: (run: RunView, stateSha256: string | undefined) => string | undefined;
}
