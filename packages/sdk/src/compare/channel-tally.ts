import type { DiagnosedStep } from "../diagnose/index.ts";
import { createRunningSum } from "../math/index.ts";
import type { QualityFlag } from "../schema/index.ts";
import { estimates } from "../summarize/estimates.ts";
import { ratioColumn, type SignCounts } from "../summarize/index.ts";
import { createLayoutSpreads } from "../summarize/layout-spreads.ts";
import type { ChannelSide } from "./channel-comparison.ts";
import { createFloatList } from "./float-list.ts";

/** One channel's own numbers, gathered while its steps go by. */
export interface ChannelTally {
  /** All of a trajectory's steps in this channel. */
  addOwn(steps: readonly DiagnosedStep[]): void;
  /** A step that found its pair. */
  addPaired(step: DiagnosedStep, flags: ReadonlySet<QualityFlag>): void;
  protocolIds(): string[];
  finish(options: { resamples: number; seed: number }): ChannelSide;
}

/** @param zeroTolerance nats */
export function createChannelTally(name: string | undefined, zeroTolerance: number): ChannelTally {
  const protocolIds = new Set<string>();
  const evaluatorKinds = new Set<string>();
  const sums: number[] = [];
  const counts: number[] = [];
  const gains = createFloatList();
  const signs: SignCounts = { positive: 0, zero: 0, negative: 0 };
  const surprise = { sum: createRunningSum(), max: -Infinity };
  const entropy = { sum: createRunningSum(), moved: 0 };
  const spreads = createLayoutSpreads();
  let steps = 0;
  let paired = 0;
  let floored = 0;
  return {
    addOwn(own) {
      let sum = 0;
      let count = 0;
      for (const step of own) {
        steps++;
        protocolIds.add(step.protocolId);
        evaluatorKinds.add(step.evaluatorKind);
        const gain = step.diagnostics?.marginGain;
        if (gain === undefined) continue;
        sum += gain;
        count++;
        gains.push(gain);
      }
      if (count === 0) return;
      sums.push(sum);
      counts.push(count);
    },
    addPaired({ diagnostics }, flags) {
      paired++;
      const gain = diagnostics!.marginGain!;
      if (gain > zeroTolerance) signs.positive++;
      else if (gain < -zeroTolerance) signs.negative++;
      else signs.zero++;
      surprise.sum.add(diagnostics!.surprise);
      surprise.max = Math.max(surprise.max, diagnostics!.surprise);
      entropy.sum.add(diagnostics!.entropyMovement);
      if (Math.abs(diagnostics!.entropyMovement) > zeroTolerance) entropy.moved++;
      if (diagnostics!.layoutSpread !== undefined) spreads.add(diagnostics!.layoutSpread);
      if (flags.has("floor")) floored++;
    },
    protocolIds: () => [...protocolIds],
    finish(options) {
      const column = ratioColumn(sums, counts);
      const [own] = estimates([{ column, values: gains.values() }], { units: sums.length, ...options });
      const layoutSpread = spreads.summary();
      return {
        name: name ?? ([...protocolIds].join(" ") || "none"),
        protocolIds: [...protocolIds],
        evaluatorKinds: [...evaluatorKinds],
        steps,
        withGain: gains.values().length,
        marginGain: own!.estimate,
        signs: { ...signs },
        ...(paired === 0
          ? {}
          : {
              surprise: { mean: surprise.sum.total() / paired, max: surprise.max },
              entropyMovement: { mean: entropy.sum.total() / paired, moved: entropy.moved },
            }),
        ...(layoutSpread === undefined ? {} : { layoutSpread }),
        floored,
      };
    },
  };
}
