import {
  createSummarizer,
  encodeSummary,
  type DiagnosedStep,
  type JsonObject,
  type Summary,
} from "@agent-step-value/sdk";
import { flooredShare } from "../report/floored-share.ts";
import { percent, plain, signed } from "../terminal/number.ts";
import { renderTable, type Column } from "../terminal/table.ts";

/** The settings that each channel is also read with (paper sections 5.3 and 6). */
export const PROBES = Object.freeze({
  temperatures: [1, 2, 5, 10],
  epsilons: [1e-4, 1e-6, 1e-8],
  floors: [-10, -20, -30],
});

/** How far one channel's numbers hang on settings that are nobody's finding. */
export interface Robustness {
  channel: string;
  summary: Summary;
}

/** Takes a channel's steps, measured with {@link PROBES}. */
export interface RobustnessTally {
  add(step: DiagnosedStep): void;
  finish(): Robustness;
}

export function createRobustness(channel: string): RobustnessTally {
  const summarizer = createSummarizer({ resamples: 0 });
  return {
    add: (step) => summarizer.add(step),
    finish: () => ({ channel, summary: summarizer.finish() }),
  };
}

/** A step to keep for an audit: its probes are two thirds of it, and no audit reads them. */
export function withoutProbes(step: DiagnosedStep): DiagnosedStep {
  const { temperatureProbe: _, surpriseProbe: __, floorSensitivity: ___, ...rest } = step;
  return rest;
}

const columns: readonly Column<Robustness>[] = [
  { title: "channel", cell: ({ channel }) => channel },
  ...PROBES.epsilons.map((epsilon): Column<Robustness> => ({
    title: `surprise at ε ${epsilon.toExponential()}`,
    align: "right",
    cell: ({ summary }) => plain(summary.surprises?.find((one) => one.epsilon === epsilon)?.mean),
  })),
  ...PROBES.temperatures.map((tau): Column<Robustness> => ({
    title: `ΔH at τ ${tau}`,
    align: "right",
    cell: ({ summary }) => signed(summary.temperatures?.find((one) => one.tau === tau)?.meanEntropyMovement),
  })),
  {
    title: "layout spread",
    align: "right",
    cell: ({ summary }) => plain(summary.layoutSpread?.mean),
  },
  {
    title: "floored",
    align: "right",
    cell: ({ summary }) => percent(flooredShare(summary)),
  },
  {
    title: "gain at floor -10 / -20 / -30",
    align: "right",
    cell: ({ summary: { floors, marginGain } }) =>
      floors?.sensitivity === undefined
        ? signed(marginGain.mean)
        : PROBES.floors
            .map((floor) => signed(floors.sensitivity!.find((one) => one.floor === floor)?.mean))
            .join(" / "),
  },
  {
    title: "gain lies in",
    align: "right",
    cell: ({ summary: { floors, marginGain } }) =>
      floors === undefined
        ? signed(marginGain.mean)
        : `${signed(floors.meanLow)} to ${signed(floors.meanHigh)}`,
  },
];

/** One line a channel: what other smoothing, temperatures and floors would have said. */
export function robustnessText(all: readonly Robustness[]): string {
  return `what other smoothing, temperatures and floor scores would have said, over all measured steps\n${renderTable(columns, all)}\n`;
}

/** The same in full, each a summary without intervals. */
export function robustnessJson(all: readonly Robustness[]): JsonObject[] {
  return all.map(({ channel, summary }) => ({ channel, summary: encodeSummary(summary) }));
}
