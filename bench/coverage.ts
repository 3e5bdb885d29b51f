import { createRandom, trajectoryBootstrap, type Random } from "@agent-step-value/sdk";

const REPETITIONS = 1000;
const RESAMPLES = 1000;
const SEED = 20261130;
/** Share of trajectories that mostly go wrong; the others are mostly still and slightly good. */
const BAD_SHARE = 0.4;
const KINDS = {
  good: { moves: 0.15, up: 0.6 },
  bad: { moves: 0.35, up: 0.25 },
};
const SIZE = 15;

/**
 * How often the trajectory bootstrap's 95 % interval holds the true mean, on simulated gains: mostly 0,
 * some near ±15, trajectories of two kinds and 8 to 14 steps.
 */
export function run(): Promise<void> {
  const random = createRandom(SEED);
  const truth = (1 - BAD_SHARE) * meanGain("good") + BAD_SHARE * meanGain("bad");
  const nominalError = Math.sqrt((0.95 * 0.05) / REPETITIONS);
  console.log(
    `coverage of the 95 % trajectory-bootstrap interval (percentile); ${REPETITIONS} repetitions, ` +
      `${RESAMPLES} resamples each instead of the default 10,000, true mean ${truth.toFixed(3)}, ` +
      `standard error about ${(100 * nominalError).toFixed(1)} %`,
  );
  for (const trajectories of [10, 20, 100]) {
    let held = 0;
    let width = 0;
    for (let repetition = 0; repetition < REPETITIONS; repetition++) {
      const { sums, counts } = simulate(trajectories, random);
      const { low, high } = trajectoryBootstrap(sums, counts, { resamples: RESAMPLES, seed: repetition });
      if (low <= truth && truth <= high) held++;
      width += high - low;
    }
    const rate = ((100 * held) / REPETITIONS).toFixed(1);
    const note = trajectories < 20 ? " (a summary of so few says few_trajectories)" : "";
    console.log(
      `  ${String(trajectories).padStart(3)} trajectories: ${rate} % against 95 % nominal, ` +
        `mean width ${(width / REPETITIONS).toFixed(2)} nats${note}`,
    );
  }
  return Promise.resolve();
}

function meanGain(kind: keyof typeof KINDS): number {
  const { moves, up } = KINDS[kind];
  return moves * SIZE * (2 * up - 1);
}

function simulate(trajectories: number, random: Random): { sums: number[]; counts: number[] } {
  const sums: number[] = [];
  const counts: number[] = [];
  for (let t = 0; t < trajectories; t++) {
    const { moves, up } = random.unit() < BAD_SHARE ? KINDS.bad : KINDS.good;
    const steps = 8 + random.below(7);
    let sum = 0;
    for (let i = 0; i < steps; i++) {
      if (random.unit() >= moves) continue;
      const size = SIZE - 5 + 10 * random.unit();
      sum += random.unit() < up ? size : -size;
    }
    sums.push(sum);
    counts.push(steps);
  }
  return { sums, counts };
}

if (import.meta.main) await run();
