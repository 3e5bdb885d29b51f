import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { context, trace } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readableSpans } from "../foreign-files.test-support.ts";
import { after, before, chained, gains, read, types } from "../spans.test-support.ts";

type Module = Record<string, any>;

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
});
afterAll(async () => {
  await provider.shutdown();
  trace.disable();
  context.disable();
});

const SECRET = "Bearer sk-abcdefghijklmnopqrstuvwxyz012345";

/** A model of any major that asks for two tools at once, one of which throws, and then answers. */
function scriptedModel(test: Module) {
  const Mock = test["MockLanguageModelV4"] ?? test["MockLanguageModelV3"] ?? test["MockLanguageModelV2"];
  const old = Mock === test["MockLanguageModelV2"];
  const usage = old
    ? { inputTokens: 10, outputTokens: 5, totalTokens: 15 }
    : {
        inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 5, text: 5, reasoning: 0 },
      };
  const finished = (reason: string) => (old ? reason : { unified: reason, raw: reason });
  let calls = 0;
  return new Mock({
    doGenerate: async () => {
      calls += 1;
      const content =
        calls === 1
          ? [
              { type: "reasoning", text: "Two places to look." },
              { type: "text", text: "Looking." },
              { type: "tool-call", toolCallId: "c1", toolName: "lookup", input: '{"city":"Kyoto"}' },
              { type: "tool-call", toolCallId: "c2", toolName: "fetch", input: '{"page":1}' },
            ]
          : [{ type: "text", text: "Kyoto was the capital." }];
      return { content, finishReason: finished(calls === 1 ? "tool-calls" : "stop"), usage, warnings: [] };
    },
  });
}

async function run(name: "ai" | "ai-v5" | "ai-v6", telemetry: (ai: Module) => Promise<object>) {
  exporter.reset();
  const ai: Module = await import(name);
  const test: Module = await import(`${name}/test`);
  const schema = (properties: object) => ai["jsonSchema"]({ type: "object", properties });
  const tools = {
    lookup: ai["tool"]({
      inputSchema: schema({ city: { type: "string" } }),
      execute: async ({ city }: { city: string }) => ({ city, facts: ["old capital"] }),
    }),
    fetch: ai["tool"]({
      inputSchema: schema({ page: { type: "number" } }),
      execute: async () => {
        throw new Error("no such page");
      },
    }),
  };
  await ai["generateText"]({
    model: scriptedModel(test),
    tools,
    stopWhen: (ai["stepCountIs"] ?? ai["isStepCount"])(4),
    prompt: "Which city was the capital?",
    ...(name === "ai" ? { instructions: "Be brief." } : { system: "Be brief." }),
    headers: { authorization: SECRET },
    ...(await telemetry(ai)),
  });
  return readableSpans(exporter.getFinishedSpans());
}

const core = async () => ({ experimental_telemetry: { isEnabled: true, functionId: "capital" } });
const registered = (className: string) => async (ai: Module) => {
  const otel: Module = await import("@ai-sdk/otel");
  const integration = new otel[className]({ tracer: provider.getTracer("ai") });
  return ai["registerTelemetry"] === undefined ? {} : { telemetry: { integrations: [integration] } };
};

describe.each([
  ["AI SDK 5", "ai-v5", core, "ai-sdk"],
  ["AI SDK 6", "ai-v6", core, "ai-sdk"],
  ["AI SDK 7 with LegacyOpenTelemetry", "ai", registered("LegacyOpenTelemetry"), "ai-sdk"],
  ["AI SDK 7 with OpenTelemetry", "ai", registered("OpenTelemetry"), "gen-ai"],
] as const)("spans of %s", (_, name, telemetry, convention) => {
  it("become one run: a call, its two tools, the answer, in one chain of states", async () => {
    const spans = await run(name, telemetry);
    const { trajectories, counts } = read(spans);
    expect(trajectories).toHaveLength(1);
    const [found] = trajectories;
    expect(found!.convention).toBe(convention);
    expect(found!.trajectory.task.question).toBe("Which city was the capital?");
    expect(types(found!)).toEqual(["model", "tool:lookup", "tool:fetch", "model"]);
    expect(before(found!, 0)).toEqual([
      "task user: Which city was the capital?",
      "message system: Be brief.",
    ]);
    expect(gains(found!)).toEqual([
      [
        // Version 5 does not record reasoning where it was thought; the next call's input shows it.
        "reasoning assistant: Two places to look.",
        "reasoning assistant: Looking.",
        'tool_call lookup: {"city":"Kyoto"}',
        'tool_call fetch: {"page":1}',
      ],
      ['evidence lookup: {"city":"Kyoto","facts":["old capital"]}'],
      [expect.stringMatching(/^other fetch: (?:Error: )?no such page$/)],
      ["answer assistant: Kyoto was the capital."],
    ]);
    expect(chained(found!)).toBe(true);
    expect(found!.trajectory.steps.map(({ cost }) => cost["prompt_tokens"])).toEqual([
      10,
      undefined,
      undefined,
      10,
    ]);
    expect(found!.trajectory.steps[2]!.extra).toMatchObject({ status: "error" });
    expect(counts).toEqual({});
    expect(JSON.stringify(found)).not.toContain("sk-abcdef");
    expect(after(found!, 3)!.join("\n")).not.toMatch(/authorization|mock-provider/);
  });
});
