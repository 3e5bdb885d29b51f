import { freezeCandidates, newCandidateSet, type CandidateSpace } from "@agent-step-value/sdk";

/** What the scripted model does in one turn: it calls tools, or it answers. */
export type Turn =
  | { readonly say?: string; readonly search?: string; readonly read?: readonly string[] }
  | { readonly answer: string };

/** A question with its candidate answers, and how the scripted model goes about it. */
export interface Question {
  readonly id: string;
  readonly text: string;
  /** Three concrete answers; none-of-the-above is added to them. */
  readonly answers: readonly [string, string, string];
  /** Place of the target among the answers, or `none`. Never given to capture. */
  readonly target: 0 | 1 | 2 | "none";
  readonly turns: readonly Turn[];
}

export const questions: readonly Question[] = [
  {
    id: "wheel-wood",
    text: "What is the wheel of the Fenmoor tide mill made of since 1897?",
    answers: ["larch", "oak", "iron"],
    target: 0,
    turns: [
      { say: "I look for notes on the wheel.", search: "wheel Fenmoor 1897" },
      { say: "The repair will tell.", read: ["wheel-repair"] },
      { answer: "Since 1897 the wheel is of larch." },
    ],
  },
  {
    id: "wheel-foundry",
    text: "Where was the new wheel of the mill made?",
    answers: ["at the foundry at Harle", "at the mill itself", "in a yard by the pond"],
    target: "none",
    // Believes the inn, and ends with a wrong answer.
    turns: [
      { search: "new wheel made foundry" },
      { say: "The inn names a place.", read: ["wheel-rumour"] },
      { answer: "The new wheel came from the foundry at Harle." },
    ],
  },
  {
    id: "barley-tide",
    text: "On which tide was barley ground?",
    answers: ["on the ebb", "on the flood", "on either"],
    target: 0,
    // Reads a summary that does not help first, then two notes at once.
    turns: [
      { search: "barley ground tide" },
      { say: "The summary first.", read: ["grain-summary"] },
      { say: "It says nothing of tides. The book and the survey may.", read: ["grain-book", "pond-survey"] },
      { answer: "Barley was ground on the ebb." },
    ],
  },
  {
    id: "miller-1905",
    text: "Who ran the mill when the sluice gate broke?",
    answers: ["Bede Orle", "Tamsin Orle", "the inn keeper"],
    target: 1,
    turns: [
      { say: "First, when did it break?", search: "sluice gate broke" },
      { read: ["sluice-log"] },
      { say: "In 1905. Now the millers.", search: "millers ran the mill" },
      { read: ["keeper-list"] },
      { answer: "Tamsin Orle ran the mill; the gate broke in 1905." },
    ],
  },
  {
    id: "days-lost",
    text: "For how long was nothing ground after the gate broke?",
    answers: ["four hours", "nine days", "eleven days"],
    target: 2,
    turns: [
      { search: "gate broke nothing ground" },
      // Asks for a note that the archive does not hold, and goes on.
      { read: ["gate-repair"] },
      { say: "There is no such note. The log, then.", read: ["sluice-log"] },
      { answer: "Nothing was ground for eleven days." },
    ],
  },
  {
    id: "eel-price",
    text: "What did the eels of the pond fetch at Harle?",
    answers: ["two shillings a dozen", "more than barley", "nothing, they were given away"],
    target: "none",
    turns: [
      { search: "eels pond Harle price" },
      { read: ["pond-survey"] },
      { answer: "The archive says that eels were sold at Harle, not for how much." },
    ],
  },
];

const REVIEW = { reviewer: "author of the example", notes: "written with the notes" };

/** The frozen candidate set of a question, with the target: for use after the runs only. */
export function candidatesWithTarget({ text, answers, target }: Question): CandidateSpace {
  return freezeCandidates(newCandidateSet("open-qa", { answers, target }), text, REVIEW);
}

/** The same set as live code may see it. */
export function frozenCandidates(question: Question): CandidateSpace {
  const { goldCandidateId: _, ...shown } = candidatesWithTarget(question);
  return shown;
}
