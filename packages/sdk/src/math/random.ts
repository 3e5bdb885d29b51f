import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

/** Names generator and library version; every seeded result states it. */
export const RANDOM_NAME = "xoroshiro128plus (pure-rand 8.4.2)";

/** A seeded stream of random integers, the same on every machine. */
export interface Random {
  /** Uniform integer from 0 to `bound` − 1, without modulo bias. */
  below(bound: number): number;
  /** Uniform number in [0, 1) with 53 random bits. */
  unit(): number;
}

/**
 * Seeded random stream of the generator {@link RANDOM_NAME}.
 *
 * @param seed 32-bit integer
 */
export function createRandom(seed: number): Random {
  const generator = xoroshiro128plus(seed);
  return {
    below: (bound) => uniformInt(generator, 0, bound - 1),
    unit: () => {
      const high = generator.next() >>> 5;
      const low = generator.next() >>> 6;
      return (high * 67108864 + low) / 9007199254740992;
    },
  };
}
