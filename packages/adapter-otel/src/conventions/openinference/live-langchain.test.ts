import { LangChainInstrumentation } from "@arizeai/openinference-instrumentation-langchain";
import * as CallbackManagerModule from "@langchain/core/callbacks/manager";
import type { CallbackManagerForRetrieverRun } from "@langchain/core/callbacks/manager";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { BaseMessage } from "@langchain/core/messages";
import { BaseRetriever } from "@langchain/core/retrievers";
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { AIMessage, createAgent, tool } from "langchain";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { readableSpans } from "../foreign-files.test-support.ts";
import { before, chained, gains, read, types } from "../spans.test-support.ts";

const exporter = new InMemorySpanExporter();
const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
new LangChainInstrumentation({ tracerProvider }).manuallyInstrument(CallbackManagerModule);

beforeEach(() => exporter.reset());

const seen = () => read(readableSpans(exporter.getFinishedSpans()));

class ScriptedModel extends BaseChatModel {
  readonly #script: (messages: BaseMessage[]) => AIMessage;

  constructor(script: (messages: BaseMessage[]) => AIMessage) {
    super({});
    this.#script = script;
  }

  override _llmType(): string {
    return "scripted";
  }

  override bindTools(): this {
    return this;
  }

  override async _generate(messages: BaseMessage[]) {
    const message = this.#script(messages);
    return { generations: [{ text: message.text, message }] };
  }
}

type Call = { id: string; name: string; args: Record<string, unknown> };

function says(content: string, ...tool_calls: Call[]): AIMessage {
  const usage_metadata = { input_tokens: 10, output_tokens: 4, total_tokens: 14 };
  return new AIMessage({ content, tool_calls, usage_metadata } as never);
}

const search = tool(async ({ query }: { query: string }) => `found ${query}`, {
  name: "search",
  description: "Searches.",
  schema: z.object({ query: z.string() }),
});
const fetchPage = tool(
  async () => {
    throw new Error("no such page");
  },
  { name: "fetch_page", description: "Fetches.", schema: z.object({ page: z.number() }) },
);

describe("spans of OpenInference's LangChain instrumentation", () => {
  it("rebuild a createAgent run: two searches at once, then a third, then the answer", async () => {
    const model = new ScriptedModel((messages) => {
      switch (messages.filter((message) => message.getType() === "tool").length) {
        case 0:
          return says(
            "Two places to look.",
            { id: "call-1", name: "search", args: { query: "harbour" } },
            { id: "call-2", name: "search", args: { query: "tower" } },
          );
        case 2:
          return says("", { id: "call-3", name: "search", args: { query: "lamp" } });
        default:
          return says("The lamp is green.");
      }
    });
    await createAgent({ model, tools: [search], systemPrompt: "Answer briefly." }).invoke({
      messages: [{ role: "user", content: "What colour is the lamp?" }],
    });
    const { trajectories, counts } = seen();
    expect(trajectories).toHaveLength(1);
    const [found] = trajectories;
    expect(found!.trajectory.task.question).toBe("What colour is the lamp?");
    expect(types(found!)).toEqual(["model", "tool:search", "tool:search", "model", "tool:search", "model"]);
    expect(before(found!, 0)).toEqual([
      "task user: What colour is the lamp?",
      "message system: Answer briefly.",
    ]);
    // Calls, their ids and system prompts in parts are missing from the flattened messages of this package.
    expect(gains(found!)).toEqual([
      [
        "reasoning assistant: Two places to look.",
        'tool_call search: {"query":"harbour"}',
        'tool_call search: {"query":"tower"}',
      ],
      ["evidence search: found harbour"],
      ["evidence search: found tower"],
      ['tool_call search: {"query":"lamp"}'],
      ["evidence search: found lamp"],
      ["answer assistant: The lamp is green."],
    ]);
    expect(chained(found!)).toBe(true);
    expect(counts).toEqual({});
    expect(found!.trajectory.steps[0]!.cost).toMatchObject({ prompt_tokens: 10, completion_tokens: 4 });
  });

  it("show what a failing tool said, and not as evidence", async () => {
    const model = new ScriptedModel((messages) =>
      messages.some((message) => message.getType() === "tool")
        ? says("I could not find it.")
        : says("", { id: "call-1", name: "fetch_page", args: { page: 7 } }),
    );
    await createAgent({ model, tools: [fetchPage] })
      .invoke({ messages: [{ role: "user", content: "What is on page 7?" }] })
      .catch(() => undefined);
    const [found] = seen().trajectories;
    expect(types(found!)[1]).toBe("tool:fetch_page");
    expect(found!.trajectory.steps[1]!.extra).toMatchObject({ status: "error" });
    expect(gains(found!)[1]).toEqual([expect.stringMatching(/^other fetch_page: .*no such page/)]);
  });

  it("rebuild a graph of plain nodes: retrieval, a function, a model call; its routing is left out", async () => {
    class OneDocument extends BaseRetriever {
      lc_namespace = ["test"];
      override async _getRelevantDocuments(query: string, _run?: CallbackManagerForRetrieverRun) {
        return [{ pageContent: `About ${query}`, metadata: { source: "a" } }];
      }
    }
    const retriever = new OneDocument();
    const State = Annotation.Root({
      question: Annotation<string>(),
      docs: Annotation<string[]>(),
      answer: Annotation<string>(),
    });
    const graph = new StateGraph(State)
      .addNode("retrieve", async (state) => ({
        docs: (await retriever.invoke(state.question)).map((document) => document.pageContent),
      }))
      .addNode("grade", (state) => ({ docs: state.docs.map((text) => `${text} (relevant)`) }))
      .addNode("generate", async (state) => {
        const model = new ScriptedModel(() => says("Green."));
        const prompt = [
          ["system", `Use: ${state.docs.join()}`],
          ["human", state.question],
        ] as [string, string][];
        return { answer: (await model.invoke(prompt)).text };
      })
      .addEdge(START, "retrieve")
      .addConditionalEdges("retrieve", () => "grade", ["grade"])
      .addEdge("grade", "generate")
      .addEdge("generate", END)
      .compile();
    await graph.invoke({ question: "the lamp" });
    const { trajectories, counts } = seen();
    expect(trajectories).toHaveLength(1);
    const [found] = trajectories;
    expect(found!.trajectory.task.question).toBe("the lamp");
    expect(types(found!)).toEqual(["retrieval:OneDocument", "grade", "generate"]);
    expect(gains(found!)).toEqual([
      ["evidence OneDocument: About the lamp"],
      ["evidence docs: About the lamp (relevant)"],
      ["answer assistant: Green."],
    ]);
    expect(before(found!, 2)!.at(-1)).toBe("message system: Use: About the lamp (relevant)");
    expect(found!.trajectory.steps[2]!.discontinuity).toBe(true);
    expect(counts).toEqual({});
  });
});
