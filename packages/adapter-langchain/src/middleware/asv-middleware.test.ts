import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { AIMessage, createAgent, tool } from "langchain";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { asvMiddleware, withASVCapture, type ASVCaptureOptions } from "../index.ts";
import {
  afterTexts,
  asked,
  chains,
  lookup,
  memorySink,
  normalised,
  ScriptedModel,
  search,
  searchingAgent,
  searchingModel,
  toolCount,
  trajectoriesOf,
} from "../scripted.test-support.ts";

beforeAll(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()));
afterAll(() => context.disable());

const watched = (options: ASVCaptureOptions) =>
  createAgent({
    model: searchingModel(),
    tools: [search, lookup],
    systemPrompt: "Answer briefly.",
    middleware: [asvMiddleware(options)],
  });

it("sees the steps that callbacks see", async () => {
  const [byCallbacks, byMiddleware] = [memorySink(), memorySink()];
  await withASVCapture(searchingAgent(), { sinks: [byCallbacks] }).invoke(asked);
  const result = await watched({ sinks: [byMiddleware] }).invoke(asked);
  expect(result.messages.map((message) => message.text)).toEqual(
    (await searchingAgent().invoke(asked)).messages.map((message) => message.text),
  );
  const [expected] = trajectoriesOf(byCallbacks.records);
  const [seen, ...more] = trajectoriesOf(byMiddleware.records);
  expect(more).toEqual([]);
  expect(seen?.closed).toBe("complete");
  expect(seen?.open?.["metadata"]).toMatchObject({ actor: { system_prompt: "Answer briefly." } });
  expect(seen?.open?.["task"]).toMatchObject({ question: "What colour is the lamp?" });
  expect(seen?.steps.map((step) => [step.type, step.kind, step.before, step.after, step.cost])).toEqual(
    expected?.steps.map((step) => [step.type, step.kind, step.before, step.after, step.cost]),
  );
  expect(seen?.steps.map((step) => step.fidelity)).toEqual([
    ...Array<string>(4).fill("next-input"),
    "update-only",
  ]);
  expect(chains(seen!)).toBe(true);
  expect(afterTexts(byMiddleware.records, 1).slice(-2)).toEqual(["found slow", "found fast"]);
});

it("makes the step's span active while model and tools run", async () => {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const active: (string | undefined)[] = [];
  const look = tool(
    async () => {
      active.push(trace.getActiveSpan()?.spanContext().spanId);
      return "looked";
    },
    { name: "look", description: "Looks.", schema: z.object({}) },
  );
  const model = new ScriptedModel((messages) => {
    active.push(trace.getActiveSpan()?.spanContext().spanId);
    return toolCount(messages) > 0
      ? new AIMessage("done")
      : new AIMessage({ content: "", tool_calls: [{ id: "1", name: "look", args: {} }] });
  });
  await createAgent({
    model,
    tools: [look],
    middleware: [asvMiddleware({ tracerProvider, file: false })],
  }).invoke(asked);
  const steps = exporter.getFinishedSpans().filter((span) => span.name === "asv.step");
  expect(active).toEqual(steps.map((span) => span.spanContext().spanId));
  expect(steps.length).toBe(3);
});

it("does nothing inside a run that withASVCapture captures", async () => {
  const [byCallbacks, byMiddleware] = [memorySink(), memorySink()];
  await withASVCapture(watched({ sinks: [byMiddleware] }), { sinks: [byCallbacks] }).invoke(asked);
  expect(byMiddleware.records).toEqual([]);
  expect(trajectoriesOf(byCallbacks.records)[0]?.steps.length).toBe(5);
});

it("keeps concurrent runs apart, and runs the same from a stream", async () => {
  const [one, many] = [memorySink(), memorySink()];
  await watched({ sinks: [one] }).invoke(asked);
  const agent = watched({ sinks: [many] });
  await Promise.all(Array.from({ length: 8 }, () => agent.invoke(asked)));
  for await (const _ of await agent.stream(asked, { streamMode: "values" }));
  const [expected] = normalised(one.records);
  const seen = normalised(many.records);
  expect(seen.length).toBe(9);
  for (const trajectory of seen) expect(trajectory).toEqual(expected);
});

it("passes the host's errors on as they are, and records them", async () => {
  const sink = memorySink();
  const problem = new RangeError("overloaded");
  const agent = createAgent({
    model: new ScriptedModel(() => problem),
    tools: [],
    middleware: [asvMiddleware({ sinks: [sink] })],
  });
  await expect(agent.invoke(asked)).rejects.toThrow("overloaded");
  const [trajectory] = trajectoriesOf(sink.records);
  expect(trajectory?.closed).toBe("error");
  expect(trajectory?.steps.map((step) => [step.status, step.error])).toEqual([
    ["error", { name: "RangeError", message: "overloaded" }],
  ]);
});

it("ends with what a tool returns directly", async () => {
  const sink = memorySink();
  const direct = tool(async () => "final words", {
    name: "direct",
    description: "Ends.",
    schema: z.object({}),
    returnDirect: true,
  });
  const model = new ScriptedModel(
    () => new AIMessage({ content: "", tool_calls: [{ id: "1", name: "direct", args: {} }] }),
  );
  await createAgent({ model, tools: [direct], middleware: [asvMiddleware({ sinks: [sink] })] }).invoke(asked);
  const [trajectory] = trajectoriesOf(sink.records);
  expect(trajectory?.closed).toBe("complete");
  expect(afterTexts(sink.records, 1).at(-1)).toBe("final words");
});
