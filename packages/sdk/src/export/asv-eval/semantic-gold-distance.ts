import type { ByCandidate } from "../../schema/index.ts";
import { round6 } from "./python-round.ts";

/** Where the toolkit places the verdicts of claim verification in the plane. */
const PLACES: ReadonlyMap<string, readonly [number, number]> = new Map([
  ["supported", [1, 1]],
  ["refuted", [-1, 1]],
  ["not_enough_information", [0, 0]],
]);

/**
 * Distance of the belief's mean place from the target's, rounded to 6 decimals; null as soon as one
 * candidate is none of the three verdicts.
 */
export function semanticGoldDistance(belief: ByCandidate, gold: string): number | null {
  const target = PLACES.get(gold);
  if (target === undefined) return null;
  let x = 0;
  let y = 0;
  for (const [id, p] of Object.entries(belief)) {
    const place = PLACES.get(id);
    if (place === undefined) return null;
    x += p * place[0];
    y += p * place[1];
  }
  return round6(Math.hypot(x - target[0], y - target[1]));
}
