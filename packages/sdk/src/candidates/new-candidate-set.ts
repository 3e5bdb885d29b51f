import { AsvError, InvalidArgumentError, showValue } from "../errors/index.ts";
import type { Candidate, CandidateSpace } from "../schema/index.ts";
import { NONE_OF_THE_ABOVE_ID } from "./candidate-words.ts";
import { validateCandidates } from "./validate-candidates.ts";

/** Names of the ready-made shapes of a candidate set. */
export const CANDIDATE_PRESETS = ["open-qa", "closed", "outcome"] as const;

export type CandidatePreset = (typeof CANDIDATE_PRESETS)[number];

/** What {@link newCandidateSet} is told. */
export interface NewCandidateSetOptions {
  /** Texts of the concrete answers, in any order. `outcome` takes none. */
  answers?: readonly string[];
  /**
   * Text of the none-of-the-above candidate. `open-qa` always has one, with this wording or the
   * usual one; `closed` has one only where a text is given.
   */
  noneOfTheAbove?: string;
  /** 0-based place of the reviewed target in `answers`, or `none` for none-of-the-above. */
  target?: number | "none";
  /** Name of the data set whose own labels define a closed set, for example `pubmedqa`. */
  labelSource?: string;
}

const NONE_TEXT = "None of the above; the evidence is insufficient for any other answer.";

/** How a run can end, for tasks that have no answer to choose. */
const OUTCOMES: readonly string[] = [
  "The run will succeed: it will do all that the task asks for.",
  "The run will succeed in part: it will do some of what the task asks for.",
  "The run will fail: it will do nothing of what the task asks for, or do harm.",
  "It cannot be told yet how the run will end.",
];

/**
 * A candidate set of one of three shapes (SPEC section 2.4), not yet frozen, with ids `cand-1`,
 * `cand-2`, … that mean nothing.
 *
 * - `open-qa`: three concrete answers and exactly one none-of-the-above (paper section 3.2)
 * - `closed`: the caller's own answers
 * - `outcome`: will succeed, succeed in part, fail, cannot be told yet
 *
 * @throws AsvError `unknown_format` for another preset name; InvalidArgumentError for answers the
 * preset or the rules for every set do not allow
 */
export function newCandidateSet(
  preset: CandidatePreset,
  options: NewCandidateSetOptions = {},
): CandidateSpace {
  const answers = answersOf(preset, options);
  const candidates: Candidate[] = answers.map((text, i) => ({ id: `cand-${i + 1}`, text }));
  const none = preset === "open-qa" ? (options.noneOfTheAbove ?? NONE_TEXT) : options.noneOfTheAbove;
  if (none !== undefined) candidates.push({ id: NONE_OF_THE_ABOVE_ID, text: none });
  validateCandidates(candidates, "made");
  const target = targetOf(candidates, options.target);
  return {
    type: preset === "closed" ? "closed_set" : "candidate_set",
    candidates,
    ...(target !== undefined && { goldCandidateId: target }),
    ...(options.labelSource !== undefined && { labelSource: options.labelSource }),
  };
}

function answersOf(preset: CandidatePreset, options: NewCandidateSetOptions): readonly string[] {
  const answers = options.answers ?? [];
  switch (preset) {
    case "open-qa":
      if (answers.length !== 3) throw new InvalidArgumentError("answers", "three concrete answers", answers);
      return answers;
    case "closed":
      return answers;
    case "outcome":
      if (answers.length > 0 || options.noneOfTheAbove !== undefined) {
        throw new InvalidArgumentError("answers", "left out: the outcome preset has its own four", answers);
      }
      return OUTCOMES;
    default:
      throw new AsvError(
        "unknown_format",
        `There is no candidate preset ${showValue(preset)}; use ${CANDIDATE_PRESETS.join(", ")}.`,
      );
  }
}

function targetOf(candidates: readonly Candidate[], target: number | "none" | undefined): string | undefined {
  if (target === undefined) return undefined;
  const found =
    target === "none" ? candidates.find(({ id }) => id === NONE_OF_THE_ABOVE_ID) : candidates[target];
  if (found === undefined)
    throw new InvalidArgumentError("target", "the place of one of the candidates", target);
  return found.id;
}
