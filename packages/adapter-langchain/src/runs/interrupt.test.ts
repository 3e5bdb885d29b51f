import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Annotation, Command, interrupt, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { expect, it } from "vitest";
import { withASVCapture, type ASVCaptureOptions } from "../index.ts";
import { chains, memorySink, trajectoriesOf } from "../scripted.test-support.ts";

const State = Annotation.Root({
  plan: Annotation<string>(),
  evidence: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
});

function asking(options: ASVCaptureOptions) {
  const graph = new StateGraph(State)
    .addNode("draft", async () => ({ plan: "draft" }))
    .addNode("ask", async () => ({ plan: String(interrupt({ question: "May I?" })) }))
    .addNode("finish", async () => ({ evidence: ["finished"] }))
    .addEdge(START, "draft")
    .addEdge("draft", "ask")
    .addEdge("ask", "finish")
    .compile({ checkpointer: new MemorySaver() });
  return withASVCapture(graph, options);
}

const thread = (thread_id: string) => ({ configurable: { thread_id } });

it("goes on with the same trajectory when its thread is resumed", async () => {
  const sink = memorySink();
  const graph = asking({ sinks: [sink] });
  const stopped = await graph.invoke({ plan: "" }, thread("t"));
  expect(stopped).toHaveProperty("__interrupt__");
  await graph.invoke(new Command({ resume: "yes, do" }), thread("t"));

  const [trajectory, ...more] = trajectoriesOf(sink.records);
  expect(more).toEqual([]);
  expect(trajectory?.steps.map((step) => [step.index, step.type, step.status])).toEqual([
    [0, "draft", "ok"],
    [1, "ask", "interrupted"],
    [2, "ask", "ok"],
    [3, "finish", "ok"],
  ]);
  expect(trajectory?.steps[1]?.action).toMatchObject({ interrupt: true });
  expect(trajectory?.steps[1]?.error).toBeUndefined();
  expect(chains(trajectory!)).toBe(true);
  expect(trajectory?.closed).toBe("complete");
});

it("takes a new input on the thread for a new run", async () => {
  const sink = memorySink();
  const graph = asking({ sinks: [sink] });
  await graph.invoke({ plan: "" }, thread("t"));
  await graph.invoke({ plan: "something else" }, thread("t"));
  await graph.invoke(new Command({ resume: "go" }), thread("u"));
  expect(trajectoriesOf(sink.records).length).toBeGreaterThanOrEqual(2);
});

it("goes on after a breakpoint that is no error and no interrupt of a node", async () => {
  const sink = memorySink();
  const graph = withASVCapture(
    new StateGraph(State)
      .addNode("one", async () => ({ evidence: ["one"] }))
      .addNode("two", async () => ({ evidence: ["two"] }))
      .addEdge(START, "one")
      .addEdge("one", "two")
      .compile({ checkpointer: new MemorySaver(), interruptBefore: ["two"] }),
    { sinks: [sink] },
  );
  await graph.invoke({ plan: "p" }, thread("b"));
  await graph.invoke(null, thread("b"));
  const [trajectory, ...more] = trajectoriesOf(sink.records);
  expect(more).toEqual([]);
  expect(trajectory?.steps.map((step) => [step.index, step.type])).toEqual([
    [0, "one"],
    [1, "two"],
  ]);
  expect(chains(trajectory!)).toBe(true);
});

it("is no error on the span, and a user's error merely named like one is", async () => {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  await asking({ tracerProvider, file: false }).invoke({ plan: "" }, thread("s"));
  const step = exporter
    .getFinishedSpans()
    .find((span) => span.attributes["asv.step.status"] === "interrupted");
  expect(step?.status.code).toBe(0);
  expect(step?.events).toEqual([]);

  const sink = memorySink();
  const named = () =>
    new StateGraph(State)
      .addNode("bad", async () => {
        const error = new Error("mine");
        error.name = "GraphInterrupt";
        throw error;
      })
      .addEdge(START, "bad")
      .compile();
  // LangGraph itself takes the name for its own and fails in another place; with capture it does the same.
  const bare = await named()
    .invoke({ plan: "" })
    .catch((error: unknown) => error);
  const seen = await withASVCapture(named(), { sinks: [sink] })
    .invoke({ plan: "" })
    .catch((error: unknown) => error);
  expect(seen).toBeInstanceOf(Error);
  expect((seen as Error).message).toBe((bare as Error).message);
  expect(trajectoriesOf(sink.records)[0]?.steps[0]?.status).toBe("error");
});

it("resumes a graph that was interrupted inside a subgraph", async () => {
  const sink = memorySink();
  const inner = new StateGraph(State)
    .addNode("look", async () => ({ evidence: ["looked"] }))
    .addNode("confirm", async () => ({ plan: String(interrupt("sure?")) }))
    .addEdge(START, "look")
    .addEdge("look", "confirm")
    .compile();
  const graph = withASVCapture(
    new StateGraph(State)
      .addNode("field", inner)
      .addEdge(START, "field")
      .compile({ checkpointer: new MemorySaver() }),
    { sinks: [sink] },
  );
  await graph.invoke({ plan: "p" }, thread("i"));
  await graph.invoke(new Command({ resume: "sure" }), thread("i"));
  const [outer, sub, ...more] = trajectoriesOf(sink.records);
  expect(more).toEqual([]);
  expect(outer?.steps.map((step) => [step.index, step.type, step.status])).toEqual([
    [0, "field", "interrupted"],
    [1, "field", "ok"],
  ]);
  expect(sub?.steps.map((step) => [step.index, step.type, step.status])).toEqual([
    [0, "look", "ok"],
    [1, "confirm", "interrupted"],
    [2, "confirm", "ok"],
  ]);
});

it("does not write the resume value of a human anywhere but in the state", async () => {
  const folder = mkdtempSync(join(tmpdir(), "asv-lc-"));
  const file = join(folder, "runs.jsonl");
  const graph = asking({ file });
  await graph.invoke({ plan: "" }, thread("f"));
  await graph.invoke(new Command({ resume: "the answer of a human" }), thread("f"));
  const lines = readFileSync(file, "utf8").trim().split("\n");
  expect(lines.filter((line) => line.includes("the answer of a human")).length).toBe(2);
  rmSync(folder, { recursive: true });
});
