// A stranger's first captured agent, on the packed SDK and adapter beside an installed LangChain.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asvFlush, asvMiddleware, withASVCapture } from "@agent-step-value/adapter-langchain";
import { memorySink } from "@agent-step-value/sdk/capture";
import { readTrajectories } from "@agent-step-value/sdk/jsonl";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { Annotation, Command, interrupt, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { AIMessage, createAgent, tool } from "langchain";
import { z } from "zod";

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
    const done = messages.some((message) => message.getType() === "tool");
    const calls = ["slow", "fast"].map((query, i) => ({ id: `c${i}`, name: "search", args: { query } }));
    const message = done
      ? new AIMessage("The lamp is green.")
      : new AIMessage({ content: "", tool_calls: calls });
    return { generations: [{ text: message.text, message }] };
  }
}

const search = tool(async ({ query }) => `found ${query}`, {
  name: "search",
  description: "Searches.",
  schema: z.object({ query: z.string() }),
});
const asked = { messages: [{ role: "user", content: "What colour is the lamp?" }] };
const types = ["model", "tool:search", "model"];
const folder = mkdtempSync(join(tmpdir(), "asv-pack-langchain-"));

async function stepsOf(file) {
  const runs = [];
  for await (const { steps, status } of readTrajectories([file])) {
    runs.push({
      types: steps.map((step) => step.action.type),
      indices: steps.map((step) => step.index),
      status,
    });
  }
  return runs;
}

// An agent by every way of running it.
const bare = createAgent({ model: new ScriptedModel(), tools: [search] });
const expected = (await bare.invoke(asked)).messages.map((message) => message.text);
for (const [name, run] of Object.entries({
  invoke: (agent) => agent.invoke(asked),
  stream: async (agent) => {
    for await (const _ of await agent.stream(asked, { streamMode: ["values", "updates"] }));
  },
  events: async (agent) => {
    for await (const _ of agent.streamEvents(asked, { version: "v2" }));
  },
})) {
  const file = join(folder, `${name}.jsonl`);
  const agent = withASVCapture(createAgent({ model: new ScriptedModel(), tools: [search] }), { file });
  assert.ok(agent instanceof bare.constructor);
  const result = await run(agent);
  if (name === "invoke")
    assert.deepEqual(
      result.messages.map((message) => message.text),
      expected,
    );
  assert.deepEqual(await stepsOf(file), [{ types, indices: [0, 1, 2], status: "complete" }]);
  assert.equal((await asvFlush(agent)).written, 3);
}

// The middleware.
const watched = memorySink();
await createAgent({
  model: new ScriptedModel(),
  tools: [search],
  middleware: [asvMiddleware({ sinks: [watched] })],
}).invoke(asked);
assert.deepEqual(
  watched.records.filter((record) => record.record === "step").map((record) => record.action.type),
  types,
);

// A graph that is interrupted and goes on.
const State = Annotation.Root({ plan: Annotation() });
const file = join(folder, "graph.jsonl");
const graph = withASVCapture(
  new StateGraph(State)
    .addNode("ask", async () => ({ plan: interrupt("May I?") }))
    .addNode("act", async ({ plan }) => ({ plan: String(plan) + ", done" }))
    .addEdge(START, "ask")
    .addEdge("ask", "act")
    .compile({ checkpointer: new MemorySaver() }),
  { file, stateSource: "values-tap" },
);
const config = { configurable: { thread_id: "t" } };
await graph.invoke({ plan: "" }, config);
assert.equal((await graph.invoke(new Command({ resume: "yes" }), config)).plan, "yes, done");
assert.deepEqual(await stepsOf(file), [
  { types: ["ask", "ask", "act"], indices: [0, 1, 2], status: "complete" },
]);

// A secret stays inside.
const secret = "sk-proj-Qv7xT2mLw9KdR4sJ8bYnC6hF1gZa3PeU5iOtXkM0";
const guarded = join(folder, "secret.jsonl");
const agent = withASVCapture(createAgent({ model: new ScriptedModel(), tools: [search] }), { file: guarded });
await agent.invoke({ messages: [{ role: "user", content: `My key is ${secret}` }] });
assert.ok(!readFileSync(guarded, "utf8").includes(secret));

rmSync(folder, { recursive: true });
console.log(`langchain capture works on ${process.version}`);
