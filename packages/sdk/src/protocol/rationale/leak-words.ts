/** Words that, followed by a single capital letter, name a physical label: `option B`. */
export const LABEL_WORDS: readonly string[] = ["option", "label", "choice", "candidate", "answer"];

/** Phrases for a key that only someone who knows the target could quote. */
export const ANSWER_KEY_PHRASES: readonly string[] = [
  "answer key",
  "gold label",
  "gold answer",
  "gold candidate",
  "golden answer",
  "ground truth",
  "ground-truth",
  "reference answer",
  "expected answer",
  "official answer",
  "correct answer",
  "correct candidate",
  "right answer",
];

/** What joins a key and a candidate into an assertion, in either order. */
export const ASSERTING_LINKS: readonly string[] = [
  " is ",
  " is:",
  " was ",
  " = ",
  ": ",
  " says ",
  " gives ",
  " names ",
  " matches ",
];
