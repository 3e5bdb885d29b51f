import type { ProbeAnswer } from "./probe-answer.ts";

/**
 * Largest difference between two answers to one prompt, in nats: over the tokens both lists hold a
 * value for, or over the candidates where there are no lists. A token that only one list holds is
 * passed over, since the end of a list comes and goes with noise. Infinite when they share none.
 */
export function answerDistance(a: ProbeAnswer, b: ProbeAnswer): number {
  const [left, right] = [valuesOf(a), valuesOf(b)];
  let most = -1;
  for (const [name, value] of left) {
    const other = right.get(name);
    if (other !== undefined) most = Math.max(most, Math.abs(value - other));
  }
  return most === -1 ? Infinity : most;
}

function valuesOf({ list, scores }: ProbeAnswer): Map<string, number> {
  if (list === undefined) return new Map(Object.entries(scores));
  return new Map(
    list.flatMap(({ token, logprob }) =>
      logprob !== null && Number.isFinite(logprob) && logprob > -9000 ? [[token, logprob] as const] : [],
    ),
  );
}
