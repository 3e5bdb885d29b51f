import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  Annotation,
  Command,
  interrupt,
  MemorySaver,
  messagesStateReducer,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { AIMessage, HumanMessage, SystemMessage, type BaseMessage } from "@langchain/core/messages";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { createAgent, tool } from "langchain";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { withASVCapture } from "../index.ts";
import { ScriptedModel, toolCount } from "../scripted.test-support.ts";

/** One secret in every form it is planted in. It is of a provider's format, and stands for itself alone. */
const CANARY = "sk-proj-Qv7xT2mLw9KdR4sJ8bYnC6hF1gZa3PeU5iOtXkM0";
const ENCODED = Buffer.from(JSON.stringify({ api_key: CANARY, page: "pad 7 ".repeat(80) })).toString(
  "base64",
);
const IMAGE = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47]), Buffer.from(CANARY.repeat(20))]).toString(
  "base64",
);

const folder = mkdtempSync(join(tmpdir(), "asv-secrets-"));
const exporter = new InMemorySpanExporter();
const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const said: string[] = [];

beforeAll(() => {
  for (const method of ["log", "warn", "error", "info", "debug"] as const) {
    vi.spyOn(console, method).mockImplementation(
      (...args: unknown[]) => void said.push(args.map(String).join(" ")),
    );
  }
});
afterAll(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

/** Every byte that left: file, spans with their events and status, console. */
function everything(file: string): string {
  const spans = exporter.getFinishedSpans().map((span) => ({
    name: span.name,
    attributes: span.attributes,
    events: span.events,
    status: span.status,
    links: span.links.map((link) => link.attributes),
    resource: span.resource.attributes,
  }));
  return [readFileSync(file, "utf8"), JSON.stringify(spans), ...said].join("\n");
}

function expectNoCanary(file: string): void {
  const out = everything(file);
  expect(out.length).toBeGreaterThan(1000);
  for (const form of [
    CANARY,
    CANARY.slice(8, 30),
    ENCODED,
    ENCODED.slice(0, 60),
    IMAGE.slice(0, 80),
    Buffer.from(CANARY).toString("base64"),
  ]) {
    expect(out.includes(form), `leaked: ${form.slice(0, 12)}...`).toBe(false);
  }
}

describe("a secret planted everywhere", () => {
  it("leaves an agent nowhere, and the host keeps it", async () => {
    const file = join(folder, "agent.jsonl");
    const results: BaseMessage[] = [];
    const fetchPage = tool(
      async () =>
        [
          `Authorization: Bearer ${CANARY}`,
          `https://host.test/page?access_token=${CANARY}&q=1`,
          JSON.stringify({ nested: JSON.stringify({ deeper: { password: CANARY } }) }),
          ENCODED,
        ].join("\n"),
      {
        name: "fetch_page",
        description: "Fetches.",
        schema: z.object({ url: z.string(), headers: z.record(z.string(), z.string()) }),
      },
    );
    const failing = tool(
      async () => {
        throw new Error(`401 for key ${CANARY}`);
      },
      { name: "failing", description: "Fails.", schema: z.object({}) },
    );
    const model = new ScriptedModel((messages) => {
      results.push(...messages);
      if (toolCount(messages) > 0) {
        return new AIMessage({
          content: `The key is ${CANARY}.`,
          id: CANARY,
          response_metadata: { headers: { authorization: CANARY }, request_id: CANARY },
          additional_kwargs: { reasoning: CANARY },
        });
      }
      return new AIMessage({
        content: [
          { type: "text", text: `I use ${CANARY}` },
          { type: "reasoning", reasoning: `with ${CANARY}` },
        ] as never,
        response_metadata: { id: CANARY },
        tool_calls: [
          {
            id: "1",
            name: "fetch_page",
            args: {
              url: `https://host.test/?api_key=${CANARY}`,
              headers: { Authorization: `Bearer ${CANARY}`, Cookie: `session=${CANARY}` },
            },
          },
        ],
      } as never);
    });
    const question = new HumanMessage({
      content: [
        { type: "text", text: `My key is ${CANARY}; and api_key=${CANARY}` },
        { type: "image_url", image_url: { url: `data:image/png;base64,${IMAGE}` } },
        { type: "image_url", image_url: { url: `https://host.test/picture.png?token=${CANARY}` } },
        { type: "audio", source_type: "base64", mime_type: "audio/wav", data: IMAGE },
      ] as never,
      name: "user",
      additional_kwargs: { authorization_token: CANARY },
      response_metadata: { token: CANARY },
    });
    const before = structuredClone(question.content);
    const agent = withASVCapture(
      createAgent({ model, tools: [fetchPage, failing], systemPrompt: `You are trusted with ${CANARY}.` }),
      {
        file,
        tracerProvider,
        metadata: { apiKey: CANARY, note: `key ${CANARY}` },
        task: { question: `Use ${CANARY}` },
      },
    );
    const result = await agent.invoke(
      { messages: [question] },
      {
        metadata: { [CANARY]: CANARY, api_key: CANARY },
        tags: [CANARY],
        configurable: { api_key: CANARY, thread_id: CANARY },
      },
    );
    // The host's own objects still hold it.
    expect(question.content).toEqual(before);
    expect(question.additional_kwargs).toEqual({ authorization_token: CANARY });
    expect(JSON.stringify(result.messages).split(CANARY).length).toBeGreaterThan(10);
    expect(JSON.stringify(results)).toContain(CANARY);
    expectNoCanary(file);
    // What is no secret is still there.
    const out = everything(file);
    expect(out).toContain("fetch_page");
    expect(out).toContain("[BYTES:image/png:");
    expect(out).toContain("The key is [SECRET:");
    expect(out).toContain("https://host.test/picture.png");
  });

  it("leaves a graph nowhere: channels, keys, interrupts, resume values, errors", async () => {
    const file = join(folder, "graph.jsonl");
    const State = Annotation.Root({
      plan: Annotation<string>(),
      api_key: Annotation<string>(),
      settings: Annotation<Record<string, unknown>>(),
      documents: Annotation<unknown[]>(),
      inbox: Annotation<unknown>(),
      messages: Annotation<BaseMessage[]>({ reducer: messagesStateReducer as never, default: () => [] }),
    });
    const settings = {
      servers: [{ url: "https://host.test", authorization_token: CANARY }],
      [CANARY]: "as a key",
      blob: Buffer.from(CANARY),
    };
    const graph = new StateGraph(State)
      .addNode("write", async () => ({
        plan: `token: ${CANARY}`,
        settings,
        documents: [{ pageContent: `page with ${CANARY}`, metadata: { cookie: CANARY } }],
        inbox: {
          latest: new SystemMessage({ content: `system ${CANARY}`, response_metadata: { id: CANARY } }),
        },
      }))
      .addNode("ask", async () => ({ plan: String(interrupt({ question: `May I use ${CANARY}?` })) }))
      .addNode("fail", async () => {
        throw new Error(`refused: ${JSON.stringify({ password: CANARY })}`);
      })
      .addEdge(START, "write")
      .addEdge("write", "ask")
      .addEdge("ask", "fail")
      .compile({ checkpointer: new MemorySaver() });
    const captured = withASVCapture(graph, { file, tracerProvider });
    const config = { configurable: { thread_id: "t" } };
    const input = { plan: "start", api_key: CANARY, messages: [new HumanMessage(`hello ${CANARY}`)] };
    await captured.invoke(input, config);
    await expect(captured.invoke(new Command({ resume: `yes, with ${CANARY}` }), config)).rejects.toThrow(
      "refused",
    );
    expect(settings).toEqual({
      servers: [{ url: "https://host.test", authorization_token: CANARY }],
      [CANARY]: "as a key",
      blob: Buffer.from(CANARY),
    });
    expect(input.api_key).toBe(CANARY);
    expectNoCanary(file);
    expect(everything(file)).toContain("yes, with [SECRET:");
  });
});
