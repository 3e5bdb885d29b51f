import type { ByCandidate, QualityFlag, Step } from "../schema/index.ts";

/** Protocol id and evaluator kind of numbers that came with the trajectory. */
export const PROVIDED_PROTOCOL = "provided";

/** Scores or beliefs stored in the trajectory itself, log scores first. */
export type ProvidedStep =
  | { kind: "scores"; before: ByCandidate; after: ByCandidate }
  | { kind: "beliefs"; before: ByCandidate; after: ByCandidate };

/**
 * What a step brings along, or undefined when either side is missing or does not cover exactly the
 * task's candidates: a belief over other candidates is another question's answer.
 */
export function providedStep(step: Step, candidateIds: readonly string[]): ProvidedStep | undefined {
  const { rawScoresBefore, rawScoresAfter, beliefBefore, beliefAfter } = step;
  if (covers(rawScoresBefore, candidateIds) && covers(rawScoresAfter, candidateIds)) {
    return { kind: "scores", before: rawScoresBefore, after: rawScoresAfter };
  }
  if (covers(beliefBefore, candidateIds) && covers(beliefAfter, candidateIds)) {
    return { kind: "beliefs", before: beliefBefore, after: beliefAfter };
  }
  return undefined;
}

/** True when the record holds a value for each of the candidates and for nothing else. */
export function covers(
  record: ByCandidate | undefined,
  candidateIds: readonly string[],
): record is ByCandidate {
  if (record === undefined || candidateIds.length < 2) return false;
  if (Object.keys(record).length !== candidateIds.length) return false;
  return candidateIds.every((id) => Object.hasOwn(record, id));
}

/** The evaluator flags that an asv.v1 file carries in `quality_flags`, under the names used here. */
export function providedFlags(step: Step): QualityFlag[] {
  const flags: QualityFlag[] = ["provided_belief"];
  const given = step.qualityFlags;
  if (given.used_floor_score === true) flags.push("floor");
  if (given.rationale_label_leakage === true) flags.push("label_leak");
  if (given.rationale_gold_leakage === true) flags.push("gold_leak");
  return flags;
}
