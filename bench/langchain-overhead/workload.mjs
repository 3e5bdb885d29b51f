// The one workload of every variant: an agent of createAgent that calls a model, one tool, and the model again;
// STEPS model calls in place of two, a tool's result of RESULT_CHARS characters in place of 560.
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, createAgent, tool } from "langchain";
import { z } from "zod";

const steps = Number(process.env.STEPS ?? 2);
const resultChars = Number(process.env.RESULT_CHARS ?? 560);
export const setting = { steps, resultChars };

/** Asks for one tool call at a time, answers once enough results are there. Holds no state. */
class ScriptedModel extends BaseChatModel {
  constructor() {
    super({});
  }

  _llmType() {
    return "scripted";
  }

  bindTools() {
    return this;
  }

  async _generate(messages) {
    const results = messages.filter((message) => message.getType() === "tool").length;
    const done = results >= steps - 1;
    const usage_metadata = { input_tokens: 20, output_tokens: 3, total_tokens: 23 };
    const message = done
      ? new AIMessage({ content: "final answer", response_metadata: { id: "req_1" }, usage_metadata })
      : new AIMessage({
          content: "",
          tool_calls: [{ id: `c${results + 1}`, name: "search", args: { q: "agents" }, type: "tool_call" }],
          response_metadata: { id: "req_0" },
        });
    return { generations: [{ text: message.text, message }] };
  }
}

/** @param pauseMs how long the tool takes; 0 gives a run that never leaves the event loop's turn */
function searchTool(pauseMs) {
  return tool(
    async ({ q }) => {
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      const passages = `three passages about ${q} `;
      return passages.repeat(Math.ceil(resultChars / passages.length)).slice(0, resultChars);
    },
    { name: "search", description: "search", schema: z.object({ q: z.string() }) },
  );
}

/** A new agent of the workload. */
export function newAgent({ pauseMs = 0 } = {}) {
  return createAgent({
    model: new ScriptedModel(),
    tools: [searchTool(pauseMs)],
    systemPrompt: "Answer briefly.",
  });
}

/** One run, checked. */
export async function runOnce(agent, i, callbacks, options) {
  const config = { recursionLimit: 2 * steps + 20, ...options, ...(callbacks.length > 0 && { callbacks }) };
  const input = { messages: [{ role: "user", content: `question ${i}` }] };
  const { messages } = await agent.invoke(input, config);
  if (messages.length !== 2 * steps) throw new Error(`a run of ${messages.length} messages`);
}
