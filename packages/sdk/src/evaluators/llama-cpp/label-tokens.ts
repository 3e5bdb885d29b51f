import type { EngineModel, TokenId } from "./llama-engine.ts";

/** A label with whatever space and light punctuation a token may carry beside it. */
const LABEL_TOKEN = /^[\s.()[\]:：*"'`]*([A-Z])[\s.()[\]:：*"'`]*$/u;

/** Every token of a vocabulary that stands for a label, by label: `A`, ` A`, `A.`, `(A`, `"A`. */
export type LabelTokens = ReadonlyMap<string, readonly TokenId[]>;

/**
 * Looks through the whole vocabulary, once a model. Tokenising `A`, ` A` and so on would miss tokens
 * that a model can write but its tokenizer never makes, such as `A.` of a byte-level BPE.
 */
export function findLabelTokens(model: EngineModel): LabelTokens {
  const found = new Map<string, TokenId[]>();
  for (const token of model.iterateAllTokens()) {
    const label = LABEL_TOKEN.exec(model.detokenize([token]))?.[1];
    if (label === undefined) continue;
    const tokens = found.get(label);
    if (tokens === undefined) found.set(label, [token]);
    else tokens.push(token);
  }
  return found;
}

/** How many labels, counted from A, have a token of their own. */
export function countLabels(labelTokens: LabelTokens): number {
  let count = 0;
  while (labelTokens.has(String.fromCharCode(65 + count))) count++;
  return count;
}
