import { withASVCapture } from "@agent-step-value/adapter-langchain";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { createAgent } from "langchain";
import { chooseModel } from "./choose-model.ts";
import { candidatesOf, questions } from "./questions.ts";
import { readNote, searchNotes } from "./tools.ts";

const systemPrompt =
  "You answer questions about the Vessen islands. Search the archive, read what you need, and answer in one sentence.";

/** The question that a run's input asks, with its candidates. The target stays out of live code. */
function taskOf(input: unknown) {
  const { messages } = input as { messages: readonly { content: unknown }[] };
  const question = questions.find(({ text }) => text === messages.at(-1)?.content);
  return question && { id: question.id, question: question.text, candidates: candidatesOf(question) };
}

/**
 * Asks the agent every question and appends each run to an ASV JSONL file.
 *
 * @param model default: a real one where a key is set, else the scripted one, which needs no network
 */
export async function captureRuns(file: string, model?: BaseChatModel): Promise<void> {
  const agent = withASVCapture(
    createAgent({ model: model ?? (await chooseModel()), tools: [searchNotes, readNote], systemPrompt }),
    { file, task: taskOf },
  );
  for (const { text } of questions) await agent.invoke({ messages: [{ role: "user", content: text }] });
}
