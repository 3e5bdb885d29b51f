import { encodeCandidateFileRecord, type JsonObject } from "@agent-step-value/sdk";
import { candidatesOf, questions, targetOf } from "./questions.ts";

/**
 * The candidate sets of the questions and, as records of their own, the targets, in the form that
 * `asv candidates attach` takes.
 */
export function candidateRecords(): JsonObject[] {
  return questions.flatMap((question) => {
    const { id: taskId, text } = question;
    const candidates = candidatesOf(question);
    return [
      encodeCandidateFileRecord({
        record: "candidate_set",
        taskId,
        question: text,
        type: "candidate_set",
        candidates,
      }),
      encodeCandidateFileRecord({ record: "gold", taskId, goldCandidateId: targetOf(question) }),
    ];
  });
}
