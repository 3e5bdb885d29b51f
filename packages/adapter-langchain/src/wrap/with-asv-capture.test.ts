import { Annotation, CompiledStateGraph, START, StateGraph } from "@langchain/langgraph";
import { RunnableLambda } from "@langchain/core/runnables";
import { BaseTracer } from "@langchain/core/tracers/base";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { AIMessage, createAgent } from "langchain";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { asvFlush, withASVCapture } from "../index.ts";
import { claimCount } from "../runs/claims.ts";
import {
  asked,
  memorySink,
  normalised,
  ScriptedModel,
  searchingAgent,
  trajectoriesOf,
} from "../scripted.test-support.ts";

const State = Annotation.Root({ plan: Annotation<string>() });

const graph = () =>
  new StateGraph(State)
    .addNode("plan-it", async () => ({ plan: "p" }))
    .addEdge(START, "plan-it")
    .compile();

class CountingTracer extends BaseTracer {
  name = "counting";
  readonly seen: string[] = [];

  protected override async persistRun(): Promise<void> {}

  override async onRunCreate(run: { name: string }): Promise<void> {
    this.seen.push(run.name);
  }
}

describe("the wrapped target", () => {
  it("is what it was: an agent, a graph, with their own types", async () => {
    const agent = withASVCapture(
      createAgent({
        model: new ScriptedModel(() => new AIMessage("ok")),
        tools: [],
        stateSchema: z.object({ count: z.number().default(0) }),
      }),
      { sinks: [memorySink()] },
    );
    expect(agent).toBeInstanceOf(searchingAgent().constructor);
    expect(withASVCapture(graph(), { sinks: [memorySink()] })).toBeInstanceOf(CompiledStateGraph);
    const result = await agent.invoke({ ...asked, count: 3 });
    // Typed as before: a number, not unknown.
    const count: number = result.count;
    expect(count).toBe(3);
    // @ts-expect-error the input's type survives the wrapping
    const wrong = () => agent.invoke({ messages: 5 });
    expect(typeof wrong).toBe("function");
  });

  it("is not the target itself, which stays uncaptured", async () => {
    const sink = memorySink();
    const agent = searchingAgent();
    withASVCapture(agent, { sinks: [sink] });
    await agent.invoke(asked);
    expect(sink.records).toEqual([]);
  });

  it("keeps capturing after withConfig and in a stream of events", async () => {
    const sink = memorySink();
    const agent = withASVCapture(searchingAgent(), { sinks: [sink] }).withConfig({ tags: ["mine"] });
    await agent.invoke(asked);
    expect(trajectoriesOf(sink.records)[0]?.steps.length).toBe(5);
  });

  it("must be something LangChain runs", () => {
    expect(() => withASVCapture({} as never)).toThrow(TypeError);
    expect(() => withASVCapture(null as never)).toThrow(TypeError);
    expect(() => withASVCapture(graph(), { maxOpenMs: -1 })).toThrow(/maxOpenMs/);
  });
});

describe("beside others", () => {
  it("captures an agent that is wrapped twice once", async () => {
    const [first, second] = [memorySink(), memorySink()];
    const agent = withASVCapture(withASVCapture(searchingAgent(), { sinks: [first] }), { sinks: [second] });
    await agent.invoke(asked);
    const counts = [first, second].map((sink) => trajectoriesOf(sink.records).length);
    expect(counts.toSorted((a, b) => a - b)).toEqual([0, 1]);
    expect(claimCount()).toBe(0);
  });

  it("captures a wrapped agent inside a wrapped graph once", async () => {
    const [inner, outer] = [memorySink(), memorySink()];
    const agent = withASVCapture(searchingAgent(), { sinks: [inner] });
    const around = new StateGraph(State)
      .addNode("ask", async () => ({ plan: (await agent.invoke(asked)).messages.at(-1)?.text ?? "" }))
      .addEdge(START, "ask")
      .compile();
    await withASVCapture(around, { sinks: [outer] }).invoke({ plan: "" });
    expect(inner.records).toEqual([]);
    const [main, within] = trajectoriesOf(outer.records);
    expect([main?.steps.length, within?.steps.length]).toEqual([1, 5]);
    expect(within?.parent).toBe(main?.id);
    expect(claimCount()).toBe(0);
  });

  it("captures a wrapped agent inside a graph that is not wrapped", async () => {
    const sink = memorySink();
    const agent = withASVCapture(searchingAgent(), { sinks: [sink] });
    const around = new StateGraph(State)
      .addNode("ask", async () => ({ plan: String((await agent.invoke(asked)).messages.length) }))
      .addEdge(START, "ask")
      .compile();
    await around.invoke({ plan: "" });
    expect(trajectoriesOf(sink.records).map((seen) => seen.steps.length)).toEqual([5]);
  });

  it("leaves another tracer all it had", async () => {
    const [alone, beside] = [new CountingTracer(), new CountingTracer()];
    await searchingAgent().invoke(asked, { callbacks: [alone] });
    const sink = memorySink();
    await withASVCapture(searchingAgent(), { sinks: [sink] }).invoke(asked, { callbacks: [beside] });
    expect(alone.seen.length).toBeGreaterThan(5);
    expect(beside.seen).toEqual(alone.seen);
    expect(trajectoriesOf(sink.records).length).toBe(1);
  });
});

describe("a user's own projection", () => {
  const two = () =>
    new StateGraph(Annotation.Root({ plan: Annotation<string>(), draft: Annotation<string>() }))
      .addNode("write", async () => ({ plan: "the plan", draft: "the draft" }))
      .addEdge(START, "write")
      .compile();

  it("picks what is seen", async () => {
    const sink = memorySink();
    await withASVCapture(two(), { sinks: [sink], project: (state) => ({ plan: state.plan }) }).invoke({
      plan: "",
    });
    expect(JSON.stringify(sink.records)).toContain("the plan");
    expect(JSON.stringify(sink.records)).not.toContain("the draft");
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("the draft");
      },
    ],
    ["gives nothing", () => undefined],
    ["gives a number", () => 7],
    ["gives a promise", async () => ({ plan: "x" })],
  ])("leaves the states out when it %s, and the host goes on", async (_, project) => {
    const sink = memorySink();
    const problems: Error[] = [];
    const captured = withASVCapture(two(), {
      sinks: [sink],
      project,
      onError: (error) => problems.push(error),
    });
    expect(await captured.invoke({ plan: "" })).toEqual({ plan: "the plan", draft: "the draft" });
    const [trajectory] = trajectoriesOf(sink.records);
    expect(trajectory?.steps.length).toBe(1);
    expect(trajectory?.steps[0]?.after).toBeUndefined();
    expect(problems.length).toBeGreaterThan(0);
    expect(JSON.stringify(sink.records) + problems.join()).not.toContain("the draft");
    expect((await asvFlush(captured)).damaged).toBe(1);
  });
});

describe("with no options", () => {
  const warn = vi.spyOn(console, "warn");

  beforeEach(() => void warn.mockReset());
  afterEach(() => void vi.unstubAllEnvs());

  it("warns once when there is no file and no tracer provider, and costs the host nothing", async () => {
    const agent = withASVCapture(searchingAgent(), { metadata: { test: "own recorder" } });
    const expected = await searchingAgent().invoke(asked);
    expect((await agent.invoke(asked)).messages.length).toBe(expected.messages.length);
    await agent.invoke(asked);
    expect(warn.mock.calls.map(([text]) => String(text)).filter((text) => text.includes("asv"))).toHaveLength(
      1,
    );
  });

  it("shares one recorder among the targets that write to one file", async () => {
    const first = withASVCapture(graph(), { file: false });
    const second = withASVCapture(
      RunnableLambda.from((n: number) => n),
      { file: false },
    );
    await first.invoke({ plan: "" });
    await second.invoke(1);
    expect(await asvFlush(first)).toEqual(await asvFlush(second));
  });

  it("sends spans through the provider it is given, all ended when invoke returns", async () => {
    const exporter = new InMemorySpanExporter();
    const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    await withASVCapture(searchingAgent(), { tracerProvider, file: false }).invoke(asked);
    const names = exporter.getFinishedSpans().map((span) => span.name);
    expect(names).toEqual([...Array<string>(5).fill("asv.step"), "asv.trajectory"]);
    const steps = exporter.getFinishedSpans().filter((span) => span.name === "asv.step");
    expect(steps.map((span) => span.attributes["asv.step.index"])).toEqual([0, 1, 2, 3, 4]);
    expect(steps.map((span) => span.attributes["asv.step.kind"])).toEqual([
      "llm",
      "tool",
      "llm",
      "tool",
      "llm",
    ]);
  });
});

it("gives the same steps whichever sink takes them", async () => {
  const [one, two] = [memorySink(), memorySink()];
  await withASVCapture(searchingAgent(), { sinks: [one, two] }).invoke(asked);
  expect(normalised(one.records)).toEqual(normalised(two.records));
});
