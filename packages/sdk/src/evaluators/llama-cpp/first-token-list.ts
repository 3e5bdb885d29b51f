import { AsvError } from "../../errors/index.ts";
import { logSumExp } from "../../math/index.ts";
import type { TopLogprob } from "../../schema/index.ts";
import type { EngineModel, TokenId } from "./llama-engine.ts";

/** What the first position says: the tokens asked for, the likeliest ones, and the likeliest of all. */
export interface FirstToken {
  /** Each text once, likeliest first. */
  list: TopLogprob[];
  top: TopLogprob;
}

/**
 * Log-probabilities from the logits of the whole vocabulary, in nats: exact for every wanted token,
 * whatever its rank. Normalised here in double precision, since engines sum in single precision and
 * are off by up to some 1e-4. Different tokens with the same text are one entry with their summed
 * probability.
 *
 * @throws AsvError `evaluator_failed` when the engine returned no usable logits
 */
export function firstTokenList(
  logits: ReadonlyMap<TokenId, number> | undefined,
  model: Pick<EngineModel, "detokenize">,
  wanted: Iterable<TokenId>,
  topCount: number,
): FirstToken {
  if (logits === undefined || logits.size === 0) throw noLogits("the engine returned none");
  const total = logTotal(logits.values());
  if (!Number.isFinite(total)) throw noLogits("they are not finite");

  const ranked = [...logits].toSorted((a, b) => b[1] - a[1]).slice(0, Math.max(topCount, 1));
  const chosen = new Map<TokenId, number>(ranked);
  for (const token of wanted) {
    const logit = logits.get(token);
    if (logit !== undefined) chosen.set(token, logit);
  }
  const byText = new Map<string, number[]>();
  for (const [token, logit] of chosen) {
    const text = model.detokenize([token], true);
    const values = byText.get(text);
    if (values === undefined) byText.set(text, [logit - total]);
    else values.push(logit - total);
  }
  const list = [...byText]
    .map(([token, values]) => ({ token, logprob: Math.min(0, logSumExp(values)) }))
    .toSorted((a, b) => b.logprob - a.logprob);
  const [token, logit] = ranked[0]!;
  return {
    list,
    top: { token: model.detokenize([token], true), logprob: Math.min(0, logit - total) },
  };
}

/** log Σ exp in one pass over the maximum and one over the sum; the list may hold 250,000 numbers. */
function logTotal(logits: Iterable<number>): number {
  const values = Float64Array.from(logits);
  let highest = -Infinity;
  for (const value of values) if (value > highest) highest = value;
  let sum = 0;
  for (const value of values) sum += Math.exp(value - highest);
  return highest + Math.log(sum);
}

function noLogits(problem: string): AsvError {
  return new AsvError("evaluator_failed", `The first token's logits cannot be used: ${problem}.`, {
    flag: "no_logprobs",
  });
}
