import { NONE_OF_THE_ABOVE_ID } from "../candidates/index.ts";
import type { Random } from "../math/index.ts";
import type { Candidate, CandidateSpace } from "../schema/index.ts";
import { normaliseAnswer } from "./normalise-answer.ts";
import { randomFor, shuffled } from "./random-for.ts";

/** A reference answer and the question it belongs to. */
export interface Reference {
  question: string;
  answer: string;
}

/**
 * Candidates of one log: its reference answer, the run's own answer, reference answers of two other
 * questions and none-of-the-above; answers equal after normalising count once.
 *
 * Concrete answers are shuffled before they are numbered, so that neither id nor place tells which
 * one is the target.
 *
 * @param pool references of the same level, from which the two others are drawn
 */
export function whoAndWhenCandidates(
  own: Reference,
  runAnswer: string | undefined,
  pool: readonly Reference[],
  seed: number,
): CandidateSpace {
  const random = randomFor(seed, own.question, own.answer);
  const answers = new Map([[normaliseAnswer(own.answer), own.answer]]);
  const add = (answer: string): void => {
    const key = normaliseAnswer(answer);
    if (!answers.has(key)) answers.set(key, answer);
  };
  if (runAnswer !== undefined) add(runAnswer);
  const wanted = answers.size + 2;
  for (const other of drawn(pool, random)) {
    if (answers.size === wanted) break;
    if (other.question !== own.question) add(other.answer);
  }
  const texts = shuffled([...answers.values()], random);
  const candidates = texts.map((text, i): Candidate => ({ id: `cand-${i + 1}`, text }));
  return {
    type: "candidate_set",
    candidates: [...candidates, { id: NONE_OF_THE_ABOVE_ID, text: "None of the above" }],
    goldCandidateId: `cand-${texts.indexOf(own.answer) + 1}`,
    labelSource: "who-and-when",
  };
}

/** Items in random order, drawn one at a time, so that two of thousands cost two draws. */
function* drawn<T>(items: readonly T[], random: Random): Generator<T> {
  const moved = new Map<number, T>();
  for (let left = items.length; left > 0; left--) {
    const index = random.below(left);
    yield moved.get(index) ?? items[index]!;
    moved.set(index, moved.get(left - 1) ?? items[left - 1]!);
  }
}
