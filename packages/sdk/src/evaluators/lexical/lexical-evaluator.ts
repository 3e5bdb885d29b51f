import { NONE_OF_THE_ABOVE_ID } from "../../candidates/index.ts";
import { AsvError, InvalidArgumentError, showValue } from "../../errors/index.ts";
import type { Evaluator, ScoreRequest } from "../evaluator.ts";
import { CounterMemo } from "./counter-memo.ts";
import { NONE_OF_THE_ABOVE_PMI } from "./none-of-the-above.ts";
import { pmiScore } from "./pmi-score.ts";

const caution =
  "Scored by lexical-v1, which is a demonstration, not a judge: it counts words that state and candidate share. " +
  "It does not see a paraphrase, a negation or a computed number, and it has no demonstrated ability to find the step " +
  "where a run went wrong.";

/** What {@link lexicalEvaluator} can be told. None of it changes a score. */
export interface LexicalOptions {
  /** Memory for blocks already counted, in bytes. Default 64 MiB. */
  memoryBytes?: number;
  /** Told the number of characters each time text of a state is tokenised, which is the work done. */
  onTokenise?: (characters: number) => void;
}

/**
 * `lexical-v1`: an evaluator without model, network or labels.
 *
 * The log score of a candidate is its mean pointwise mutual information with the state's block texts,
 * in nats ({@link pmiScore}); `none-of-the-above` has a fixed one. It depends on blocks and candidate
 * alone: question, labels, block names and block order are not used. Blocks of kind `task` do not
 * count: a question is no evidence for the answers that repeat its words. Total work is linear in the
 * text of a run, although its states repeat their blocks.
 *
 * A candidate without a letter or digit cannot be scored: the call throws `evaluator_failed`, since
 * any number in its place would be invented.
 */
export function lexicalEvaluator(options: LexicalOptions = {}): Evaluator {
  const { memoryBytes = 64 * 1024 * 1024, onTokenise = () => {} } = options;
  if (!(memoryBytes >= 0)) {
    throw new InvalidArgumentError("memoryBytes", "a number of bytes, 0 or more", memoryBytes);
  }
  const memo = new CounterMemo(memoryBytes, onTokenise);
  return Object.freeze({
    settings: Object.freeze({
      kind: "lexical",
      model: "lexical-v1",
      temperature: 0,
      thinking: false,
      topLogprobs: 0,
    }),
    capabilities: Object.freeze({
      maxCandidates: 1000,
      usesLabels: false,
      rationale: false,
      deterministic: true,
      slices: true,
    }),
    caution,
    score: async (request: ScoreRequest) => {
      request.signal?.throwIfAborted();
      const scores = scoreCandidates(request, memo);
      return { form: "candidates" as const, scores, model: "lexical-v1", flags: [] };
    },
  });
}

function scoreCandidates(request: ScoreRequest, memo: CounterMemo): Record<string, number> {
  const concrete = request.candidates.filter(({ id }) => id !== NONE_OF_THE_ABOVE_ID);
  const { table, states } = memo.get(concrete.map(({ text }) => text));
  const counts = states.count(request.blocks.filter(({ kind }) => kind !== "task"));
  const byId = new Map(
    concrete.map(({ id }, i) => {
      const terms = table.candidates[i]!;
      if (terms.length === 0) {
        throw new AsvError(
          "evaluator_failed",
          `Candidate ${showValue(id)} has no letter or digit, so lexical-v1 cannot score it. ` +
            "Write its text in words, or use another evaluator.",
          { candidate: id },
        );
      }
      return [id, pmiScore(terms, counts)] as const;
    }),
  );
  return Object.fromEntries(request.candidates.map(({ id }) => [id, byId.get(id) ?? NONE_OF_THE_ABOVE_PMI]));
}
