import { describe, expect, it } from "vitest";
import { compareChannels, type ChannelInput } from "../../compare/index.ts";
import { createScoreIndex, diagnoseTrajectory, type DiagnosedStep } from "../../diagnose/index.ts";
import { createRandom } from "../../math/index.ts";
import {
  decodeScoreFileRecord,
  decodeTrajectory,
  encodeScoreFileRecord,
  encodeTrajectory,
  type Trajectory,
} from "../../schema/index.ts";
import { summarize, type Interval } from "../../summarize/index.ts";
import { drawTrajectory } from "./draw-trajectory.ts";
import { STUDY_ACTIONS, studyLaw } from "./study-law.ts";
import { studyTruth } from "./study-truth.ts";
import { syntheticStudy, type SyntheticChannel } from "./synthetic-study.ts";

type Measured = ChannelInput & { steps: DiagnosedStep[] };

function measure({ protocol, records }: SyntheticChannel, trajectories: readonly Trajectory[]): Measured {
  const index = createScoreIndex();
  for (const record of records) index.add(record);
  return {
    name: protocol.name,
    protocol: index.protocols()[0]!.protocol,
    steps: trajectories.flatMap((trajectory) => diagnoseTrajectory(trajectory, index)),
  };
}

function measuredStudy(options: Parameters<typeof syntheticStudy>[0]) {
  const study = syntheticStudy(options);
  const [direct, rationale, balanced] = study.channels.map((channel) => measure(channel, study.trajectories));
  return { ...study, direct: direct!, rationale: rationale!, balanced };
}

describe("syntheticStudy", () => {
  const study = measuredStudy({ trajectories: 30, seed: 3, balanced: true });

  it("has the paper's shape, and is the same from the same seed", () => {
    expect(study.trajectories).toHaveLength(30);
    for (const { steps, task } of study.trajectories) {
      expect(steps.map(({ action }) => action.type)).toEqual(STUDY_ACTIONS);
      expect(task.candidateSpace.candidates).toHaveLength(4);
      const concrete = task.candidateSpace.candidates.filter(({ id }) => id !== "none-of-the-above");
      expect(concrete).toHaveLength(3);
    }
    const again = syntheticStudy({ trajectories: 30, seed: 3, balanced: true });
    expect(again.channels).toEqual(study.channels);
    const redrawn = syntheticStudy({ trajectories: study.trajectories, seed: 3, balanced: true });
    expect(redrawn.channels).toEqual(study.channels);
    const other = syntheticStudy({ trajectories: study.trajectories, seed: 4, balanced: true });
    expect(other.channels).not.toEqual(study.channels);
    expect(other.truth).toEqual(study.truth);
  });

  it("leaves records that any reader takes, without the target in one of them", () => {
    const place = { source: "study", line: 1 };
    for (const trajectory of study.trajectories) {
      const wire = JSON.parse(JSON.stringify(encodeTrajectory(trajectory)));
      expect(decodeTrajectory(wire, place)).toEqual(trajectory);
    }
    for (const { records } of study.channels) {
      for (const record of records) {
        const wire = JSON.parse(JSON.stringify(encodeScoreFileRecord(record)));
        expect(decodeScoreFileRecord(wire, place)).toEqual(record);
      }
    }
    expect(JSON.stringify(study.channels)).not.toContain("gold_candidate");
  });

  it("measures every step, gains being 0 or about 39 nats, surprise near its ceiling, entropy near 0", () => {
    const steps = [...study.direct.steps, ...study.rationale.steps];
    expect(steps).toHaveLength(2 * 30 * 11);
    for (const { diagnostics } of steps) {
      const size = Math.abs(diagnostics!.marginGain!);
      expect(size === 0 || (size >= 38 && size <= 40)).toBe(true);
      expect(Math.abs(diagnostics!.entropyMovement)).toBeLessThan(1e-6);
      // Either the first choice is another one, or next to nothing happened.
      expect(diagnostics!.surprise < 1e-6 || diagnostics!.surprise > 15.1).toBe(true);
      expect(diagnostics!.surprise).toBeLessThan(15.201789);
    }
    const { surprise, entropyMovement } = summarize(study.rationale.steps, { resamples: 0 });
    expect(surprise!.mean).toBeGreaterThan(1.5);
    expect(Math.abs(entropyMovement!.mean)).toBeLessThan(1e-7);
  });

  it("differs between the channels in the buffer alone, and between the layouts in the mappings alone", () => {
    const { changedElements, differences } = compareChannels(study.rationale, study.direct, { resamples: 0 });
    expect(changedElements).toEqual(["buffer"]);
    expect(differences!.map(({ path }) => path)).toEqual(["buffer.kind", "buffer.max_tokens"]);
    const layouts = compareChannels(study.rationale, study.balanced!, { resamples: 0 });
    expect(layouts.changedElements).toEqual(["mappings"]);
    expect(layouts.all.signed.mean).toBe(0);
    expect(layouts.b.layoutSpread).toMatchObject({ steps: 330, max: 0 });
  });

  it("carries a leaky trajectory and a few floors, which change no gain", () => {
    const { flags, floors } = summarize(measuredStudy({ seed: 7 }).rationale.steps, { resamples: 0 });
    expect(flags.gold_leak).toBe(11);
    expect(flags.floor).toBeGreaterThan(0);
    expect(floors!.meanLow).toBe(floors!.meanHigh);
    expect(study.rationale.steps.every(({ flags: own }) => !own.includes("unreviewed_candidates"))).toBe(
      true,
    );
  });

  it("refuses a number of trajectories that is none", () => {
    expect(() => syntheticStudy({ trajectories: 0 })).toThrow("trajectories");
    expect(() => syntheticStudy({ trajectories: 1.5 })).toThrow("trajectories");
  });
});

describe("studyTruth", () => {
  it("is what many drawn trajectories come to", () => {
    const law = studyLaw("paper");
    const truth = studyTruth(law);
    const random = createRandom(11);
    const count = 40_000;
    const sums = { direct: 0, rationale: 0, absolute: 0, both: 0, opposite: 0, damage: 0 };
    const marginOf = ({ top, distance }: { top: number; distance: number }) =>
      top === 2 ? distance : -distance;
    for (let t = 0; t < count; t++) {
      const drawn = drawTrajectory(law, 4, 2, random);
      for (let i = 0; i < law.steps.length; i++) {
        const gainOf = (readings: (typeof drawn)["direct"]) =>
          marginOf(readings[i + 1]!) - marginOf(readings[i]!);
        const [d, r] = [gainOf(drawn.direct), gainOf(drawn["rationale-128"])];
        sums.direct += d;
        sums.rationale += r;
        sums.absolute += Math.abs(r - d);
        if (r < 0) sums.damage++;
        if (d === 0 || r === 0) continue;
        sums.both++;
        if (d > 0 !== r > 0) sums.opposite++;
      }
    }
    const steps = count * law.steps.length;
    // Standard errors of 40,000 trajectories: about 0.01 nats for means, 0.0005 for rates.
    expect(sums.direct / steps).toBeCloseTo(truth.channels.direct.meanGain, 1);
    expect(Math.abs(sums.rationale / steps - truth.channels["rationale-128"].meanGain)).toBeLessThan(0.05);
    expect(Math.abs(sums.absolute / steps - truth.absoluteEffect)).toBeLessThan(0.08);
    expect(Math.abs(sums.damage / steps - truth.channels["rationale-128"].damageRate)).toBeLessThan(0.002);
    expect(Math.abs(sums.both / steps - truth.bothMovedRate)).toBeLessThan(0.002);
    expect(Math.abs(sums.opposite / sums.both - truth.signDisagreement)).toBeLessThan(0.012);
  });

  it("has the paper's picture, and nothing at all where nothing helps", () => {
    const { channels, signedEffect, stepTypes } = studyTruth(studyLaw("paper"));
    expect(channels.direct.meanGain).toBeGreaterThan(1);
    expect(channels["rationale-128"].meanGain).toBeLessThan(-2);
    expect(signedEffect).toBe(channels["rationale-128"].meanGain - channels.direct.meanGain);
    const worst = stepTypes.toSorted(
      (a, b) => a.channels["rationale-128"].meanGain - b.channels["rationale-128"].meanGain,
    );
    expect(worst.slice(0, 2).map(({ action }) => action)).toEqual(["extract", "audit"]);
    const none = studyTruth(studyLaw("none"));
    for (const { channels: own, signedEffect: effect } of [none, ...none.stepTypes]) {
      expect(own.direct.meanGain).toBeCloseTo(0, 12);
      expect(effect).toBeCloseTo(0, 12);
    }
  });
});

describe("intervals on studies of known truth", () => {
  const STUDIES = 20;

  it("hold it about as often as they say, and signs come out right", () => {
    const { trajectories } = syntheticStudy({ trajectories: 60 });
    let tries = 0;
    let held = 0;
    let signs = 0;
    for (let seed = 1; seed <= STUDIES; seed++) {
      const study = syntheticStudy({ trajectories, seed });
      const [direct, rationale] = study.channels.map((channel) => measure(channel, trajectories));
      const { all, stepTypes } = compareChannels(rationale!, direct!, { resamples: 400, seed });
      const { truth } = study;
      const pairs: [number, Interval | undefined][] = [
        [truth.channels["rationale-128"].meanGain, all.a.interval],
        [truth.channels.direct.meanGain, all.b.interval],
        [truth.signedEffect, all.signed.interval],
        [truth.absoluteEffect, all.absolute.interval],
        [truth.signDisagreement, all.signDisagreement.rate.interval],
        ...truth.stepTypes.map(({ action, signedEffect }): [number, Interval | undefined] => [
          signedEffect,
          stepTypes.find((type) => type.action === action)!.signed.interval,
        ]),
      ];
      for (const [value, interval] of pairs) {
        tries++;
        if (interval!.low <= value && value <= interval!.high) held++;
      }
      if (all.a.mean! < 0 && all.b.mean! > 0 && all.signed.mean! < 0) signs++;
    }
    expect(tries).toBe(STUDIES * 16);
    // 320 tries at about 94 %, some of them related: 89 % to 99 % is within four standard errors.
    expect(held / tries).toBeGreaterThan(0.89);
    expect(held / tries).toBeLessThan(0.99);
    expect(signs).toBe(STUDIES);
  });

  it("leave zero out about one time in twenty where nothing happened, and verdicts are as rare", () => {
    const { trajectories } = syntheticStudy({ trajectories: 60 });
    let tests = 0;
    let small = 0;
    let claimed = 0;
    for (let seed = 1; seed <= STUDIES; seed++) {
      const { channels } = syntheticStudy({ trajectories, seed, effects: "none" });
      const { stepTypes } = summarize(measure(channels[1]!, trajectories).steps, { resamples: 400, seed });
      for (const { test } of stepTypes) {
        tests++;
        if (test!.pValue <= 0.05) small++;
        if (test!.rejected) claimed++;
      }
    }
    expect(tests).toBe(STUDIES * 11);
    expect(small / tests).toBeLessThan(0.1);
    expect(claimed / tests).toBeLessThan(0.03);
  });
});
