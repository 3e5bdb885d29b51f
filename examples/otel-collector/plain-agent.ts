import { createAgent } from "langchain";
import { ScriptedModel } from "@agent-step-value/example-langchain-agent";
import { questions } from "../langchain-agent/questions.ts";
import { readNote, searchNotes } from "../langchain-agent/tools.ts";

const systemPrompt =
  "You answer questions about the Vessen islands. Search the archive, read what you need, and answer in one sentence.";

/** The agent of the LangChain example as its author left it: nothing of this toolkit is in it. */
export async function askPlainAgent(): Promise<void> {
  const agent = createAgent({ model: new ScriptedModel(), tools: [searchNotes, readNote], systemPrompt });
  for (const { text } of questions) await agent.invoke({ messages: [{ role: "user", content: text }] });
}
