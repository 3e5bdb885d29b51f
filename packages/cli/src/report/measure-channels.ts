import {
  auditChannels,
  createComparer,
  createSummarizer,
  diagnoseTrajectory,
  type AttributionAudit,
  type ChannelComparison,
  type DiagnosedStep,
  type ScoreIndex,
  type Summary,
  type Trajectory,
} from "@agent-step-value/sdk";
import { chooseAudit, type Channel } from "../compare/choose-channels.ts";
import { PROBES, withoutProbes } from "../compare/robustness.ts";

/** A channel beside the one a report is about. */
export interface OtherChannel {
  channel: Channel;
  summary: Summary;
}

/** Channels beside the main one, measured while runs are read once. */
export interface ChannelMeasuring {
  /** The trajectory's steps in each of the channels; takes the main channel's along. */
  add(trajectory: Trajectory, main: readonly DiagnosedStep[]): DiagnosedStep[][];
  finish(): {
    others: OtherChannel[];
    comparisons: ChannelComparison[];
    /** Absent without two channels, or where it was too much: see {@link AUDIT_STEPS}. */
    audit?: AttributionAudit;
    /** Steps of all channels that were too many to hold for an audit. */
    auditTooLarge?: number;
  };
}

/** Steps of all channels together that an audit within a report holds at most; about 1 KB each. */
export const AUDIT_STEPS = 300_000;

/** Measures `others` against `main`. */
export function measureChannels(
  index: ScoreIndex,
  main: Channel,
  others: readonly Channel[],
  options: { resamples: number; seed: number },
): ChannelMeasuring {
  const describe = ({ name, protocol }: Channel) => ({ name, protocol: protocol.protocol });
  const measured = others.map((channel) => ({
    channel,
    summarizer: createSummarizer(options),
    comparer: createComparer(describe(channel), describe(main), options),
    steps: [] as DiagnosedStep[],
  }));
  const mainSteps: DiagnosedStep[] = [];
  let steps = 0;
  return {
    add(trajectory, ofMain) {
      steps += ofMain.length * (others.length + 1);
      const held = steps <= AUDIT_STEPS;
      if (held) for (const step of ofMain) mainSteps.push(withoutProbes(step));
      return measured.map(({ channel, summarizer, comparer, steps: own }) => {
        const { protocolId } = channel.protocol;
        const ofChannel = diagnoseTrajectory(trajectory, index, { protocolId, ...PROBES });
        for (const step of ofChannel) {
          summarizer.add(step);
          if (held) own.push(withoutProbes(step));
        }
        comparer.add(ofChannel, ofMain);
        return ofChannel;
      });
    },
    finish() {
      const finished = {
        others: measured.map(({ channel, summarizer }) => ({ channel, summary: summarizer.finish() })),
        comparisons: measured.map(({ comparer }) => comparer.finish()),
      };
      if (others.length === 0) return finished;
      if (steps > AUDIT_STEPS) return { ...finished, auditTooLarge: steps };
      const all = [{ channel: main, steps: mainSteps }, ...measured];
      const audit = auditChannels(
        all.map(({ channel, steps: own }) => ({
          ...describe(channel),
          protocolId: channel.protocol.protocolId,
          steps: own,
        })),
        { ...options, ...chooseAudit([main, ...others], { baseline: main.name }) },
      );
      return { ...finished, audit };
    },
  };
}
