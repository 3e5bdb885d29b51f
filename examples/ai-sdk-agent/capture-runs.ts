import * as aiSdk from "ai";
import { withASVCapture } from "@agent-step-value/adapter-ai-sdk";
import { chooseModel } from "./choose-model.ts";
import { frozenCandidates, questions } from "./questions.ts";
import { readNote, searchNotes } from "./tools.ts";

/** The question that a call asks, with its frozen candidates. The target stays out of live code. */
function taskOf(input: unknown) {
  const { prompt } = input as { prompt: unknown };
  const question = questions.find(({ text }) => text === prompt);
  return question && { id: question.id, question: question.text, candidates: frozenCandidates(question) };
}

/**
 * Asks the agent every question and appends each run to an ASV JSONL file. Every other answer is streamed.
 *
 * @param model default: a real one where a key is set, else the scripted one, which needs no network
 */
export async function captureRuns(file: string, model: aiSdk.LanguageModel = chooseModel()): Promise<void> {
  const { ToolLoopAgent } = withASVCapture(aiSdk, { file, task: taskOf });
  const agent = new ToolLoopAgent({
    model,
    tools: { search_notes: searchNotes, read_note: readNote },
    instructions:
      "You answer questions about a mill. Search the archive, read what you need, answer in one sentence.",
    stopWhen: aiSdk.isStepCount(8),
  });
  for (const [i, { text }] of questions.entries()) {
    if (i % 2 === 0) await agent.generate({ prompt: text });
    else await (await agent.stream({ prompt: text })).consumeStream();
  }
}
