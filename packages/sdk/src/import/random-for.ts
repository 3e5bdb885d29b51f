import { createRandom, type Random } from "../math/index.ts";
import { canonicalJson, sha256Hex } from "../schema/index.ts";

/** A random stream of its own for each combination of seed and names, the same on every machine. */
export function randomFor(seed: number, ...names: string[]): Random {
  return createRandom(Number.parseInt(sha256Hex(canonicalJson([seed, ...names])).slice(0, 8), 16) | 0);
}

/** The items in an order drawn from `random` (Fisher and Yates); the input is left alone. */
export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const result = [...items];
  for (let i = result.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [result[i], result[j]] = [result[j]!, result[i]!];
  }
  return result;
}
