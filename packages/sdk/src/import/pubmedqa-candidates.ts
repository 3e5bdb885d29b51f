import { NONE_OF_THE_ABOVE_ID } from "../candidates/index.ts";
import type { CandidateSpace } from "../schema/index.ts";

/**
 * The three verdicts of PubMedQA and none-of-the-above.
 *
 * Each verdict is a sentence that quotes the question as it stands. Turning questions into statements
 * by rule garbles many of them, and wording made from what abstracts of one verdict say would smuggle
 * the labels in; so the sentences differ in the verdict alone. Ids are the data set's own words, which
 * tell nothing about the target.
 */
export function pubmedqaCandidates(question: string, decision: string | undefined): CandidateSpace {
  return {
    type: "closed_set",
    candidates: [
      { id: "yes", text: `Yes. The findings support a positive answer to the question: ${question}` },
      { id: "no", text: `No. The findings support a negative answer to the question: ${question}` },
      { id: "maybe", text: `Maybe. The findings support no definite answer to the question: ${question}` },
      {
        id: NONE_OF_THE_ABOVE_ID,
        text: "None of the above: the evidence shown does not bear on the question.",
      },
    ],
    ...(decision === undefined ? {} : { goldCandidateId: decision }),
    labelSource: "pubmedqa",
  };
}
