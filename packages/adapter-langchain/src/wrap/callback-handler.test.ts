import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { RunnableLambda } from "@langchain/core/runnables";
import { expect, it } from "vitest";
import { asvCallbackHandler } from "../index.ts";
import { asked, memorySink, normalised, searchingAgent, trajectoriesOf } from "../scripted.test-support.ts";

const graph = { id: ["langgraph", "pregel", "CompiledStateGraph"] };
const node = (name: string, step: number) => ({
  langgraph_node: name,
  langgraph_step: step,
  langgraph_path: ["__pregel_pull", name],
  langgraph_checkpoint_ns: `${name}:${step}`,
});

/** LangChain declares another order of parameters than it calls with; this is the one it calls with. */
it("is called with parent, tags, metadata, type and name in this order", async () => {
  const calls: unknown[][] = [];
  class Recording extends BaseCallbackHandler {
    name = "recording";
    override awaitHandlers = true;
    override handleChainStart(...args: unknown[]): void {
      calls.push(args);
    }
  }
  const inner = RunnableLambda.from((value: number) => value + 1).withConfig({
    runName: "inner",
    tags: ["tag"],
  });
  const outer = RunnableLambda.from((value: number) => inner.invoke(value));
  await outer.invoke(1, { callbacks: [new Recording()], metadata: { key: "value" }, runName: "outer" });
  const [first, second] = calls;
  expect(first?.[7]).toBe("outer");
  expect(first?.[3]).toBeUndefined();
  expect(second?.[3]).toBe(first?.[2]);
  expect(second?.[4]).toEqual(["tag"]);
  expect(second?.[5]).toMatchObject({ key: "value" });
  expect(second?.[7]).toBe("inner");
});

it("makes one trajectory of callbacks that come twice", async () => {
  const once = memorySink();
  const twice = memorySink();
  const single = asvCallbackHandler({ sinks: [once] });
  const doubled = asvCallbackHandler({ sinks: [twice] });
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(doubled)).filter((name) =>
    name.startsWith("handle"),
  );
  const again = new Proxy(doubled, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function") return value;
      if (!names.includes(String(key))) return value.bind(target);
      return (...args: unknown[]) => {
        value.apply(target, args);
        value.apply(target, args);
      };
    },
  });
  await searchingAgent().invoke(asked, { callbacks: [single] });
  await searchingAgent().invoke(asked, { callbacks: [again] });
  expect(names.length).toBeGreaterThan(8);
  expect(normalised(twice.records)).toEqual(normalised(once.records));
});

it("takes no notice of ends it knows no start of, nor of ends that come late", () => {
  const sink = memorySink();
  const problems: unknown[] = [];
  const handler = asvCallbackHandler({ sinks: [sink], onError: (error) => problems.push(error) });
  handler.handleChainEnd({}, "nobody");
  handler.handleChainError(new Error("x"), "nobody");
  handler.handleLLMEnd({}, "nobody");
  handler.handleToolError(new Error("x"), "nobody");
  handler.handleChainStart(graph, { plan: "p" }, "root", undefined, [], {});
  handler.handleChainStart({}, { plan: "p" }, "a", "root", [], node("a", 1), undefined, "a");
  handler.handleToolStart({}, "{}", "tool", "a", [], {}, "search");
  handler.handleChainError(new Error("Abort"), "root");
  // Seen on abort: children end after their parents.
  handler.handleToolError(new Error("aborted"), "tool");
  handler.handleChainError(new Error("aborted"), "a");
  handler.handleChainError(new Error("Abort"), "root");
  handler.handleToolStart({}, "{}", "late", "a", [], {}, "search");
  expect(problems).toEqual([]);
  expect(trajectoriesOf(sink.records).map((seen) => [seen.steps.length, seen.closed])).toEqual([
    [1, "aborted"],
  ]);
  expect(handler.open).toEqual({ trajectories: 0, runs: 0 });
});

it("makes nothing of callbacks with arguments of the wrong kind", () => {
  const problems: unknown[] = [];
  const handler = asvCallbackHandler({ sinks: [memorySink()], onError: (error) => problems.push(error) });
  const hostile = new Proxy(
    {},
    {
      get() {
        throw new Error("get");
      },
      ownKeys() {
        throw new Error("ownKeys");
      },
    },
  );
  expect(() => {
    handler.handleChainStart(null, null, "1");
    handler.handleChainStart(hostile, hostile, "2", undefined, [], hostile as never);
    handler.handleChainStart(graph, hostile, "3", undefined, undefined, undefined);
    handler.handleChainStart({}, hostile, "4", "3", [], node("a", 1), undefined, "a");
    handler.handleChatModelStart(hostile, hostile, "5", "4");
    handler.handleLLMEnd(hostile, "5");
    handler.handleToolStart(hostile, hostile, "6", "4");
    handler.handleToolEnd(hostile, "6");
    handler.handleRetrieverStart(hostile, hostile, "7", "4");
    handler.handleRetrieverEnd(hostile, "7");
    handler.handleChainEnd(hostile, "4");
    handler.handleChainError(hostile, "3");
    handler.handleChainEnd(undefined, "1");
    handler.handleChainEnd(undefined, "2");
  }).not.toThrow();
  expect(handler.open.trajectories).toBe(0);
  expect(problems.every((problem) => problem instanceof Error)).toBe(true);
});
