import type { ScoreRequest } from "../evaluators/evaluator.ts";
import { renderScoredPrompt } from "../protocol/index.ts";
import { labelsOf } from "../candidates/index.ts";
import { sha256Hex } from "../schema/index.ts";

/** Four questions a small model can answer from the state, each with its answer under another label. */
const SUBJECTS = [
  {
    question: "Which lamp is lit?",
    state: "The keeper's log says: the green lamp is lit, the others are dark.",
    answers: ["the green lamp", "the red lamp", "the blue lamp", "the white lamp"],
  },
  {
    question: "How many boats are in the harbour?",
    state: "The harbour master counted seven boats at noon, and none has left since.",
    answers: ["two boats", "seven boats", "twelve boats", "twenty boats"],
  },
  {
    question: "Who signed the letter?",
    state: "The letter closes with the words: signed by the baker, in her own hand.",
    answers: ["the miller", "the smith", "the baker", "the tailor"],
  },
  {
    question: "On which day does the market open?",
    state: "A notice on the gate reads: the market opens on Thursday.",
    answers: ["on Monday", "on Tuesday", "on Wednesday", "on Thursday"],
  },
] as const;

/** The fixed scored calls of a probe, in the very form of a measured one: four candidates, four labels. */
export function probeRequests(usesLabels: boolean): ScoreRequest[] {
  return SUBJECTS.map(({ question, state, answers }, i) => {
    const candidates = answers.map((text, place) => ({ id: `cand-${place + 1}`, text }));
    const blocks = [
      { kind: "task" as const, text: question },
      { kind: "evidence" as const, text: state },
    ];
    const order = candidates.map(({ id }) => id);
    const labelToCandidate = usesLabels ? labelsOf({ design: "fixed", index: 0, order }) : {};
    const subject = { question, candidates, blocks };
    return {
      place: {
        taskId: `probe-${i + 1}`,
        candidateSetSha256: sha256Hex(question),
        stateSha256: sha256Hex(state),
        order: usesLabels ? order : [],
      },
      ...subject,
      labelToCandidate,
      prompt: usesLabels ? renderScoredPrompt({ ...subject, buffer: "", labelToCandidate }).text : "",
    };
  });
}
