import { InvalidArgumentError, showValue } from "../errors/index.ts";
import type { Candidate } from "../schema/index.ts";
import { isNoneOfTheAbove, normaliseCandidateText } from "./candidate-words.ts";
import { suspiciousId } from "./suspicious-id.ts";

/** Smallest K: a belief over one candidate is always 1. */
export const MIN_CANDIDATES = 2;
/** Largest K: the labels A to Z. */
export const MAX_CANDIDATES = 26;
const MAX_ID_LENGTH = 120;
/** Space, and characters that show nothing: a text of these alone is blank to every reader. */
const UNSEEN = /[\s\p{Cc}\p{Default_Ignorable_Code_Point}]+/gu;

/** Whether a set is made here, and must be right, or read from a file, where some flaws only warn. */
export type CandidateOrigin = "made" | "read";

/**
 * Checks a candidate set (SPEC section 2.4): 2 to 26 candidates, unique non-empty one-line ids,
 * texts that are not blank and differ after normalising, at most one none-of-the-above, and ids that look
 * neither like a label nor like a hint at the target.
 *
 * @returns warnings: ids that a set read from a file has and a set made here must not have
 * @throws InvalidArgumentError with the path of the first candidate that cannot be used
 */
export function validateCandidates(candidates: readonly Candidate[], origin: CandidateOrigin): string[] {
  const count = candidates.length;
  if (count < MIN_CANDIDATES || count > MAX_CANDIDATES) {
    throw new InvalidArgumentError("candidates", `${MIN_CANDIDATES} to ${MAX_CANDIDATES} candidates`, count);
  }
  const ids = new Set<string>();
  const texts = new Map<string, string>();
  const warnings: string[] = [];
  candidates.forEach((candidate, i) => {
    const at = `candidates[${i}]`;
    checkId(candidate.id, `${at}.id`, ids);
    checkText(candidate, `${at}.text`, texts);
    const suspicion = suspiciousId(candidate.id);
    if (suspicion === undefined) return;
    if (origin === "made")
      throw new InvalidArgumentError(
        `${at}.id`,
        `an id without meaning (this one ${suspicion})`,
        candidate.id,
      );
    warnings.push(`${at}.id ${showValue(candidate.id)} ${suspicion}; ids such as cand-1 are safer.`);
  });
  if (candidates.filter(isNoneOfTheAbove).length > 1) {
    throw new InvalidArgumentError("candidates", "a set with at most one none-of-the-above", candidates);
  }
  return warnings;
}

function checkId(id: string, at: string, seen: Set<string>): void {
  if (typeof id !== "string" || id === "" || id.trim() !== id) {
    throw new InvalidArgumentError(at, "a non-empty id without space around it", id);
  }
  // Ids stand unquoted in the prompt's mapping lines, so they must not be able to start a line.
  if (/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(id) || id.length > MAX_ID_LENGTH) {
    throw new InvalidArgumentError(at, `one line of at most ${MAX_ID_LENGTH} characters`, id);
  }
  if (seen.has(id)) throw new InvalidArgumentError(at, "unique in its set", id);
  seen.add(id);
}

function checkText({ id, text }: Candidate, at: string, seen: Map<string, string>): void {
  const key = typeof text === "string" ? normaliseCandidateText(text) : "";
  if (key.replace(UNSEEN, "") === "") {
    throw new InvalidArgumentError(at, `a non-empty text for candidate ${showValue(id)}`, text);
  }
  // Half a surrogate pair has no UTF-8 form, so neither a digest nor a prompt could hold it.
  if (/\p{Cs}/u.test(text)) throw new InvalidArgumentError(at, "well-formed Unicode", text);
  const twin = seen.get(key);
  if (twin !== undefined) {
    throw new InvalidArgumentError(at, `different from the text of candidate ${showValue(twin)}`, text);
  }
  seen.set(key, id);
}
