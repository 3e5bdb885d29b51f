import { AsvError, showValue } from "../../errors/index.ts";
import { sha256Hex, type CandidateSetRecord, type JsonObject } from "../../schema/index.ts";
import { UNREVIEWED } from "../unreviewed.ts";
import { newCandidateSet } from "../new-candidate-set.ts";
import { renderGenerationPrompt } from "./generation-prompt.ts";
import { readGeneratedAnswers } from "./read-generated-answers.ts";

/** Room for three answers and the JSON around them. */
const MAX_TOKENS = 600;
const ATTEMPTS = 2;

/** Writes text for a prompt: an evaluator's rationale call, or anything of that shape. */
export type TextWriter = (request: {
  prompt: string;
  maxTokens: number;
  signal?: AbortSignal;
}) => Promise<{ text: string; model?: string }>;

/** What {@link generateCandidateSet} is told. */
export interface GenerateOptions {
  /** Name of the model that is asked, for the record. */
  model: string;
  signal?: AbortSignal;
}

/**
 * Has three distinct answers written for a task, from its question alone, and adds the
 * none-of-the-above (paper section 3.2). A reply that is not exactly what was asked for is asked for
 * once more, with what was wrong.
 *
 * The set comes out marked `unreviewed`, with what made it under `generated`. It cannot be frozen
 * before a person reviewed it, and it has no target: a model's guess at the right answer would be no
 * reviewed one.
 *
 * @throws AsvError `evaluator_failed` when neither reply can be used, or what `write` throws
 */
export async function generateCandidateSet(
  { taskId, question }: { taskId: string; question: string },
  write: TextWriter,
  { model, signal }: GenerateOptions,
): Promise<CandidateSetRecord> {
  let problem: string | undefined;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const prompt = renderGenerationPrompt(question, problem);
    const reply = await write({ prompt, maxTokens: MAX_TOKENS, ...(signal !== undefined && { signal }) });
    const read = readGeneratedAnswers(reply.text);
    if (read.answers === undefined) {
      ({ problem } = read);
      continue;
    }
    const generated: JsonObject = { model, prompt_sha256: sha256Hex(prompt), attempts: attempt };
    if (reply.model !== undefined) generated["model_returned"] = reply.model;
    return {
      record: "candidate_set",
      taskId,
      question,
      ...newCandidateSet("open-qa", { answers: read.answers }),
      extra: { [UNREVIEWED]: true, generated },
    };
  }
  throw new AsvError(
    "evaluator_failed",
    `No candidate set for task ${showValue(taskId)}: the model's reply could not be used twice; the last time ${problem}.`,
    { taskId: showValue(taskId), flag: "invalid_response" },
  );
}
