import { InvalidArgumentError } from "../../errors/index.ts";
import {
  digestOf,
  encodeCandidateFileRecord,
  type CandidateSetRecord,
  type JsonObject,
} from "../../schema/index.ts";
import { showId, showJson, showText } from "./review-text.ts";

/** First line of a review file. */
export const REVIEW_HEADING = "# asv candidate review 1";

const INSTRUCTIONS = [
  REVIEW_HEADING,
  "#",
  "# Read each question and its answers, then fill in this file and apply it:",
  "#   asv candidates review --apply THIS-FILE --out sets.jsonl --gold-out gold.jsonl",
  "#",
  "# accept:  y keeps the set, n drops it. Every set needs one.",
  "# answer:  the text after the colon may be changed. Answers must differ, and only one may be right.",
  "#          A text in double quotes is a JSON string: it holds characters that cannot be seen, or line ends.",
  "# target:  the id of the right answer, for example cand-2 or none-of-the-above; empty when not known.",
  "#          It goes to a file of its own, and never into a prompt.",
  "# notes:   anything worth keeping, on one line.",
  "# Leave task, question, keep and guard as they are. Lines that start with # are passed over.",
];

/** A set's part that a review cannot change, as it travels in the file. */
export interface ReviewSubject {
  taskId: string;
  question: string;
  /** The set on the wire, without task, question and texts. */
  keep: JsonObject;
}

/**
 * A plain text file in which a person reviews candidate sets: instructions, then a block a set with
 * places for the decision, the target and notes. {@link readReview} reads it back; it needs no other file.
 *
 * @param reviewer who will review, where that is known already
 * @throws InvalidArgumentError when two sets are for one task
 */
export function renderReview(sets: readonly CandidateSetRecord[], reviewer = ""): string {
  const seen = new Set<string>();
  const blocks = sets.map((set, i) => {
    if (seen.has(set.taskId)) throw new InvalidArgumentError("sets", "one set a task", set.taskId);
    seen.add(set.taskId);
    return renderSet(set, `${i + 1} of ${sets.length}`);
  });
  return `${INSTRUCTIONS.join("\n")}\n\nreviewer: ${showText(reviewer).replace(/^""$/, "")}\n${blocks.join("")}`;
}

function renderSet(set: CandidateSetRecord, place: string): string {
  const subject = subjectOf(set);
  const answers = set.candidates.map(({ id, text }) => `answer ${showId(id)}: ${showText(text)}\n`);
  return (
    `\n=== set ${place}\n` +
    `task: ${showText(subject.taskId)}\n` +
    `question: ${showText(subject.question)}\n` +
    answers.join("") +
    "accept: \n" +
    "target: \n" +
    "notes: \n" +
    `keep: ${showJson(subject.keep)}\n` +
    `guard: ${guardOf(subject)}\n`
  );
}

function subjectOf(set: CandidateSetRecord): ReviewSubject {
  const { frozenSha256: _digest, review: _review, ...rest } = set;
  const { task_id: _task, question: _question, ...keep } = encodeCandidateFileRecord(rest);
  const candidates = (keep["candidates"] as JsonObject[]).map(({ text: _text, ...candidate }) => candidate);
  return { taskId: set.taskId, question: set.question, keep: { ...keep, candidates } };
}

/** Tells an edit by accident in what must stay: 16 hex digits of the subject's digest. */
export function guardOf({ taskId, question, keep }: ReviewSubject): string {
  return digestOf({ task_id: taskId, question, keep }).slice(0, 16);
}
