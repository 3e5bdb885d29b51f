/** The one candidate id with a meaning: it stands for every answer that is not listed. */
export const NONE_OF_THE_ABOVE_ID = "none-of-the-above";

/** Texts, after {@link normaliseCandidateText}, that make a candidate a none-of-the-above. */
export const NONE_OF_THE_ABOVE_TEXTS: readonly string[] = [
  "none of the above",
  "none of these",
  "none of these answers",
  "none of the listed answers",
  "none of the other answers",
];

/** Id parts that tell, or seem to tell, which candidate is right. */
export const TELLING_ID_WORDS: readonly string[] = [
  "correct",
  "incorrect",
  "gold",
  "golden",
  "target",
  "right",
  "wrong",
  "distractor",
  "reference",
  "truth",
  "key",
];

/** A text as candidates are compared: NFC, lower case, single spaces, no closing full stop. */
export function normaliseCandidateText(text: string): string {
  const words = text.normalize("NFC").toLowerCase().split(/\s+/u).filter(Boolean).join(" ");
  return words.endsWith(".") ? words.slice(0, -1).trimEnd() : words;
}

/** True for the candidate that stands for every answer that is not listed. */
export function isNoneOfTheAbove(candidate: { id: string; text: string }): boolean {
  return (
    candidate.id === NONE_OF_THE_ABOVE_ID ||
    NONE_OF_THE_ABOVE_TEXTS.includes(normaliseCandidateText(candidate.text))
  );
}
