import {
  compareChannels,
  createScoreIndex,
  diagnoseTrajectory,
  summarize,
  type ChannelComparison,
  type ChannelInput,
  type Estimate,
  type Interval,
  type Summary,
  type Trajectory,
} from "@agent-step-value/sdk";
import { syntheticStudy, type StudyTruth, type SyntheticChannel } from "@agent-step-value/sdk/testing";

const REPETITIONS = 200;
const RESAMPLES = 2000;
const TRAJECTORIES = 100;
const FIRST_SEED = 20261130;
/** How many standard errors the worst of this many intervals strays by chance in 5 % of benches, two-sided. */
const BONFERRONI_Z = 3.48;
/** Largest surprise of K = 4 and ε = 1e-6: from one certain candidate to another. */
const SURPRISE_CEILING = 15.201789;

/** One quantity of which the truth is known, over all repetitions. */
interface Tally {
  truth: number;
  held: number;
  tries: number;
  estimates: number[];
}

/**
 * How often each interval of a study holds the true value, on synthetic studies of the paper's shape whose true
 * effects are computed and not estimated; and how often a study without any effect claims one.
 */
export function run(): Promise<void> {
  const { trajectories } = syntheticStudy({ trajectories: TRAJECTORIES });
  const error = Math.sqrt((0.95 * 0.05) / REPETITIONS);
  console.log(
    `${REPETITIONS} studies of ${TRAJECTORIES} trajectories x 11 step types x 4 candidates, near-one-hot scorer, two ` +
      `channels; ${RESAMPLES} resamples instead of the default 10,000, seeds from ${FIRST_SEED}. ` +
      `Coverage of the 95 % intervals; standard error of a coverage ${(100 * error).toFixed(1)} points.`,
  );
  paperStudies(trajectories);
  nullStudies(trajectories);
  return Promise.resolve();
}

function paperStudies(trajectories: readonly Trajectory[]): void {
  const tallies = new Map<string, Tally>();
  const surprise = { mean: 0, max: 0 };
  let largestEntropy = 0;
  let rightSigns = 0;
  for (let repetition = 0; repetition < REPETITIONS; repetition++) {
    const study = syntheticStudy({ trajectories, seed: FIRST_SEED + repetition });
    const [direct, rationale] = study.channels.map((channel) => measured(channel, trajectories));
    const options = { resamples: RESAMPLES, seed: repetition };
    const comparison = compareChannels(rationale!, direct!, options);
    const summaries = {
      direct: summarize(direct!.steps, options),
      rationale: summarize(rationale!.steps, options),
    };
    tallyEffects(tallies, comparison, study.truth);
    tallyChannel(tallies, "direct", summaries.direct, study.truth);
    tallyChannel(tallies, "rationale-128", summaries.rationale, study.truth);
    surprise.mean += summaries.rationale.surprise!.mean / REPETITIONS;
    surprise.max = Math.max(surprise.max, summaries.rationale.surprise!.max);
    for (const { diagnostics } of [...direct!.steps, ...rationale!.steps]) {
      largestEntropy = Math.max(largestEntropy, Math.abs(diagnostics!.entropyMovement));
    }
    const { a, b, signed } = comparison.all;
    if (a.mean! < 0 && b.mean! > 0 && signed.mean! < 0) rightSigns++;
  }
  printTallies(tallies);
  console.log(
    `  signs of both channels' means and of the effect all right in ${rightSigns} of ${REPETITIONS} studies`,
  );
  console.log(
    `  entropy misses the pivots: largest |entropy movement| of ${2 * 1100 * REPETITIONS} steps ` +
      `${largestEntropy.toExponential(2)} nats; surprise of the rationale channel mean ${surprise.mean.toFixed(3)}, ` +
      `max ${surprise.max.toFixed(4)} (ceiling ${SURPRISE_CEILING})`,
  );
}

/** A study in which every true effect is zero: what comes out is false. */
function nullStudies(trajectories: readonly Trajectory[]): void {
  let tests = 0;
  let small = 0;
  let claimed = 0;
  let effects = 0;
  for (let repetition = 0; repetition < REPETITIONS; repetition++) {
    const study = syntheticStudy({ trajectories, seed: FIRST_SEED + repetition, effects: "none" });
    const [direct, rationale] = study.channels.map((channel) => measured(channel, trajectories));
    const options = { resamples: RESAMPLES, seed: repetition };
    const { stepTypes } = summarize(rationale!.steps, options);
    const known = stepTypes.flatMap(({ test }) => test ?? []);
    tests += known.length;
    small += known.filter(({ pValue }) => pValue <= 0.05).length;
    if (known.some(({ rejected }) => rejected)) claimed++;
    const { interval } = compareChannels(rationale!, direct!, options).all.signed;
    if (interval!.low > 0 || interval!.high < 0) effects++;
  }
  console.log(
    `studies without any effect: p <= 0.05 in ${percent(small / tests)} of ${tests} step-type tests; ` +
      `after Benjamini-Hochberg a verdict in ${percent(claimed / REPETITIONS)} of the studies; ` +
      `the channel effect's interval leaves 0 out in ${percent(effects / REPETITIONS)} (nominal 5 % each)`,
  );
}

function measured(
  { protocol, records }: SyntheticChannel,
  trajectories: readonly Trajectory[],
): ChannelInput & { steps: ReturnType<typeof diagnoseTrajectory> } {
  const index = createScoreIndex();
  for (const record of records) index.add(record);
  return {
    name: protocol.name,
    protocol: index.protocols()[0]!.protocol,
    steps: trajectories.flatMap((trajectory) => diagnoseTrajectory(trajectory, index)),
  };
}

function tallyEffects(tallies: Map<string, Tally>, comparison: ChannelComparison, truth: StudyTruth): void {
  const { signed, absolute, signDisagreement } = comparison.all;
  add(tallies, "effect, rationale-128 − direct", truth.signedEffect, signed);
  add(tallies, "|effect|", truth.absoluteEffect, absolute);
  add(tallies, "sign disagreement", truth.signDisagreement, signDisagreement.rate);
  for (const type of truth.stepTypes) {
    const found = comparison.stepTypes.find(({ action }) => action === type.action)!;
    add(tallies, `effect at ${type.action}`, type.signedEffect, found.signed);
    add(tallies, `|effect| at ${type.action}`, type.absoluteEffect, found.absolute);
  }
}

function tallyChannel(
  tallies: Map<string, Tally>,
  channel: "direct" | "rationale-128",
  summary: Summary,
  truth: StudyTruth,
): void {
  const { marginGain, stepTypes } = summary;
  const own = truth.channels[channel];
  const { damage, repair } = marginGain;
  add(tallies, `mean G, ${channel}`, own.meanGain, marginGain);
  add(tallies, `damage rate, ${channel}`, own.damageRate, { mean: damage.rate, interval: damage.interval });
  add(tallies, `damage rate of eligible, ${channel}`, own.damageRate / own.eligibleForDamage, {
    mean: damage.rateOfEligible,
    interval: damage.intervalOfEligible,
  });
  add(tallies, `repair rate, ${channel}`, own.repairRate, { mean: repair.rate, interval: repair.interval });
  for (const type of truth.stepTypes) {
    const found = stepTypes.find(({ action }) => action === type.action)!;
    const { meanGain, damageRate, repairRate } = type.channels[channel];
    add(tallies, `mean G at ${type.action}, ${channel}`, meanGain, found);
    add(tallies, `damage at ${type.action}, ${channel}`, damageRate, {
      mean: found.damage.rate,
      interval: found.damage.interval,
    });
    add(tallies, `repair at ${type.action}, ${channel}`, repairRate, {
      mean: found.repair.rate,
      interval: found.repair.interval,
    });
  }
}

function add(
  tallies: Map<string, Tally>,
  name: string,
  truth: number,
  { mean, interval }: { mean?: Estimate["mean"] | undefined; interval?: Interval | undefined },
): void {
  let tally = tallies.get(name);
  if (tally === undefined) tallies.set(name, (tally = { truth, held: 0, tries: 0, estimates: [] }));
  tally.tries++;
  tally.estimates.push(mean!);
  if (interval !== undefined && interval.low <= truth && truth <= interval.high) tally.held++;
}

function printTallies(tallies: ReadonlyMap<string, Tally>): void {
  console.log(`  ${"quantity".padEnd(44)}    truth  mean of estimates  z of bias  coverage`);
  for (const [name, { truth, held, tries, estimates }] of tallies) {
    const mean = estimates.reduce((sum, value) => sum + value, 0) / tries;
    const variance = estimates.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (tries - 1);
    const z = (mean - truth) / Math.sqrt(variance / tries);
    console.log(
      `  ${name.padEnd(44)} ${truth.toFixed(4).padStart(8)}  ${mean.toFixed(4).padStart(17)}  ` +
        `${z.toFixed(1).padStart(9)}  ${percent(held / tries).padStart(8)}`,
    );
  }
  const rates = [...tallies.values()].map(({ held, tries }) => held / tries);
  const average = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  const low = 0.95 - BONFERRONI_Z * Math.sqrt((0.95 * 0.05) / REPETITIONS);
  const below = [...tallies].filter(([, { held, tries }]) => held / tries < low).map(([name]) => name);
  console.log(
    `  ${rates.length} intervals: mean coverage ${percent(average)}, lowest ${percent(Math.min(...rates))}, highest ` +
      `${percent(Math.max(...rates))}; below what chance allows the lowest of ${rates.length} (${percent(low)}): ` +
      (below.length === 0 ? "none" : below.join(", ")),
  );
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

if (import.meta.main) await run();
