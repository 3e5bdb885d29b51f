import { setTimeout as wait } from "node:timers/promises";
import { HumanMessage } from "@langchain/core/messages";
import {
  Annotation,
  Command,
  END,
  messagesStateReducer,
  Send,
  START,
  StateGraph,
} from "@langchain/langgraph";
import {
  AIMessage,
  createAgent,
  modelCallLimitMiddleware,
  modelRetryMiddleware,
  tool,
  toolRetryMiddleware,
} from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { withASVCapture, type ASVCaptureOptions, type Capturable } from "../index.ts";
import {
  afterTexts,
  asked,
  chains,
  lookup,
  memorySink,
  ScriptedModel,
  search,
  searchingAgent,
  toolCount,
  trajectoriesOf,
} from "../scripted.test-support.ts";

const State = Annotation.Root({
  plan: Annotation<string>(),
  evidence: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
  messages: Annotation<unknown[]>({ reducer: messagesStateReducer as never, default: () => [] }),
});

const add = (text: string) => async () => ({ evidence: [text] });

/** planner, then two branches at once, then a node that joins them. */
function branching() {
  return new StateGraph(State)
    .addNode("planner", async () => ({ plan: "two ways" }))
    .addNode("left", async () => {
      await wait(10);
      return { evidence: ["left"] };
    })
    .addNode("right", add("right"))
    .addNode("join", async (state) => ({ plan: `joined ${state.evidence.length}` }))
    .addEdge(START, "planner")
    .addEdge("planner", "left")
    .addEdge("planner", "right")
    .addEdge(["left", "right"], "join")
    .addEdge("join", END)
    .compile();
}

async function captured<T extends Capturable>(
  target: T,
  run: (target: T) => Promise<unknown>,
  options: ASVCaptureOptions = {},
) {
  const sink = memorySink();
  const result = await run(withASVCapture(target, { sinks: [sink], ...options })).catch(
    (error: unknown) => error,
  );
  await wait(5);
  return { records: sink.records, trajectories: trajectoriesOf(sink.records), result };
}

const steps = (trajectory: ReturnType<typeof trajectoriesOf>[number] | undefined) =>
  (trajectory?.steps ?? []).map((step) => [step.type, step.fidelity, step.status]);

describe("supersteps", () => {
  it("makes parallel branches one compound step whose states chain", async () => {
    const { trajectories, records } = await captured(branching(), (graph) => graph.invoke({ plan: "" }));
    expect(steps(trajectories[0])).toEqual([
      ["planner", "next-input", "ok"],
      ["left+right", "next-input", "ok"],
      ["join", "run-output", "ok"],
    ]);
    expect(chains(trajectories[0]!)).toBe(true);
    // `right` ends first; the state lists both in the order of the tasks.
    expect(afterTexts(records, 1)).toEqual(["two ways", "left", "right"]);
  });

  it("makes them one step each with `split`: same before, same after, in the order of the tasks", async () => {
    const { trajectories } = await captured(branching(), (graph) => graph.invoke({ plan: "" }), {
      parallel: "split",
    });
    const [, left, right] = trajectories[0]!.steps;
    expect([left?.type, right?.type]).toEqual(["left", "right"]);
    expect(left?.before).toBe(right?.before);
    expect(left?.after).toBe(right?.after);
    expect(right?.discontinuity).toBe(true);
  });

  it("captures a subgraph as a trajectory of its own inside its step", async () => {
    const inner = new StateGraph(State)
      .addNode("dig", add("dug"))
      .addNode("sift", add("sifted"))
      .addEdge(START, "dig")
      .addEdge("dig", "sift")
      .compile();
    const outer = () =>
      new StateGraph(State)
        .addNode("planner", async () => ({ plan: "dig" }))
        .addNode("field", inner)
        .addEdge(START, "planner")
        .addEdge("planner", "field")
        .compile();
    const { trajectories } = await captured(outer(), (graph) => graph.invoke({ plan: "" }));
    const [main, sub] = trajectories;
    expect(steps(main)).toEqual([
      ["planner", "next-input", "ok"],
      ["field", "run-output", "ok"],
    ]);
    expect(steps(sub)).toEqual([
      ["dig", "next-input", "ok"],
      ["sift", "run-output", "ok"],
    ]);
    expect(sub?.parent).toBe(main?.id);
    expect(chains(sub!)).toBe(true);

    const only = await captured(outer(), (graph) => graph.invoke({ plan: "" }), { subgraphs: "step" });
    expect(only.trajectories.map((trajectory) => steps(trajectory).length)).toEqual([2]);
  });

  it("captures an agent that runs inside a tool, with its trajectory hanging on the tool's step", async () => {
    const inner = createAgent({ model: new ScriptedModel(() => new AIMessage("inner answer")), tools: [] });
    const ask = tool(async () => (await inner.invoke(asked)).messages.at(-1)?.text, {
      name: "ask",
      description: "Asks another agent.",
      schema: z.object({}),
    });
    const model = new ScriptedModel((messages) =>
      toolCount(messages) > 0
        ? new AIMessage("done")
        : new AIMessage({ content: "", tool_calls: [{ id: "1", name: "ask", args: {} }] }),
    );
    const { trajectories } = await captured(createAgent({ model, tools: [ask] }), (agent) =>
      agent.invoke(asked),
    );
    expect(trajectories.map((trajectory) => trajectory.steps.length)).toEqual([3, 1]);
    expect(trajectories[1]?.parent).toBe(trajectories[0]?.id);
  });

  it("reads the state before a Send fan-out from the edge that decided it", async () => {
    const graph = new StateGraph(State)
      .addNode("planner", async () => ({ plan: "fan out" }))
      .addNode("worker", async (state) => ({ evidence: [`did ${(state as unknown as { n: number }).n}`] }))
      .addNode("join", async () => ({ plan: "joined" }))
      .addEdge(START, "planner")
      .addConditionalEdges("planner", () => [new Send("worker", { n: 1 }), new Send("worker", { n: 2 })])
      .addEdge("worker", "join")
      .compile();
    const { trajectories, records } = await captured(graph, (target) => target.invoke({ plan: "" }));
    expect(steps(trajectories[0])).toEqual([
      ["planner", "branch-input", "ok"],
      ["worker", "next-input", "ok"],
      ["join", "run-output", "ok"],
    ]);
    expect(chains(trajectories[0]!)).toBe(true);
    expect(afterTexts(records, 0)).toEqual(["fan out"]);
    expect(afterTexts(records, 1)).toEqual(["fan out", "did 1", "did 2"]);
  });

  it("marks an after-state as an estimate where a Command sends payloads and nothing shows the state", async () => {
    const graph = new StateGraph(State)
      .addNode(
        "planner",
        async () => new Command({ update: { plan: "sent" }, goto: [new Send("worker", { n: 1 })] }),
        {
          ends: ["worker"],
        },
      )
      .addNode("worker", add("worked"))
      .addEdge(START, "planner")
      .compile();
    const { trajectories, records } = await captured(graph, (target) => target.invoke({ plan: "" }));
    expect(steps(trajectories[0])).toEqual([
      ["planner", "update-only", "ok"],
      ["worker", "run-output", "ok"],
    ]);
    expect(afterTexts(records, 0)).toEqual(["sent"]);
  });

  it("does not take a narrow node's input for the state", async () => {
    const narrow = Annotation.Root({ plan: State.spec.plan });
    const graph = new StateGraph(State)
      .addNode("gather", add("a fact"))
      .addNode(
        "title",
        async (state: typeof narrow.State) => ({ plan: `title of ${Object.keys(state).join()}` }),
        {
          input: narrow,
        },
      )
      .addNode("close", async () => ({ plan: "closed" }))
      .addEdge(START, "gather")
      .addEdge("gather", "title")
      .addEdge("title", "close")
      .compile();
    const { trajectories, records } = await captured(graph, (target) => target.invoke({ plan: "p" }));
    expect(steps(trajectories[0]).map(([, fidelity]) => fidelity)).toEqual([
      "update-only",
      "next-input",
      "run-output",
    ]);
    expect(afterTexts(records, 0)).toEqual(["p", "a fact"]);
    expect(chains(trajectories[0]!)).toBe(true);
  });
});

describe("retries", () => {
  it("are one step with attempts, for a node's own retry policy", async () => {
    let tries = 0;
    const graph = new StateGraph(State)
      .addNode(
        "flaky",
        async () => {
          tries += 1;
          if (tries < 3) throw new TypeError("not yet");
          return { plan: "worked" };
        },
        { retryPolicy: { maxAttempts: 3, initialInterval: 1, maxInterval: 2, logWarning: false } },
      )
      .addEdge(START, "flaky")
      .compile();
    const { trajectories } = await captured(graph, (target) => target.invoke({ plan: "" }));
    expect(steps(trajectories[0])).toEqual([["flaky", "run-output", "ok"]]);
    expect(trajectories[0]?.steps[0]?.attempts).toBe(3);
  });

  it("are one step with attempts, for tool and model middleware", async () => {
    let tools = 0;
    let models = 0;
    const flaky = tool(
      async () => {
        tools += 1;
        if (tools === 1) throw new Error("busy");
        return "worked";
      },
      { name: "flaky", description: "Fails once.", schema: z.object({}) },
    );
    const model = new ScriptedModel((messages) => {
      models += 1;
      if (models === 1) return new Error("overloaded");
      return toolCount(messages) > 0
        ? new AIMessage("done")
        : new AIMessage({ content: "", tool_calls: [{ id: "1", name: "flaky", args: {} }] });
    });
    const agent = createAgent({
      model,
      tools: [flaky],
      middleware: [
        toolRetryMiddleware({ maxRetries: 2, initialDelayMs: 1 }),
        modelRetryMiddleware({ maxRetries: 2, initialDelayMs: 1 }),
      ] as never,
    });
    const { trajectories } = await captured(agent, (target) => target.invoke(asked as never));
    expect(trajectories[0]?.steps.map((step) => [step.type, step.attempts])).toEqual([
      ["model", 2],
      ["tool:flaky", 2],
      ["model", undefined],
    ]);
    expect(trajectories[0]?.steps[1]?.cost).toEqual({ tool_calls: 1 });
  });
});

describe("how a run ends", () => {
  const loop = () =>
    new StateGraph(State)
      .addNode("again", add("once more"))
      .addEdge(START, "again")
      .addEdge("again", "again")
      .compile();

  it("records the failing step of a run that throws, and what was cancelled with it", async () => {
    const graph = new StateGraph(State)
      .addNode("boom", async () => {
        throw new RangeError("out of range");
      })
      .addNode("other", add("never written"))
      .addEdge(START, "boom")
      .addEdge(START, "other")
      .compile();
    const { trajectories, result } = await captured(graph, (target) => target.invoke({ plan: "p" }));
    expect((result as Error).message).toBe("out of range");
    expect(trajectories[0]?.closed).toBe("error");
    expect(steps(trajectories[0])).toEqual([["boom+other", "aborted", "error"]]);
    expect(trajectories[0]?.steps[0]?.error).toEqual({ name: "RangeError", message: "out of range" });
    expect(trajectories[0]?.steps[0]?.after).toBe(trajectories[0]?.steps[0]?.before);
  });

  it("keeps the steps of a run that reached the recursion limit", async () => {
    const { trajectories } = await captured(loop(), (graph) =>
      graph.invoke({ plan: "p" }, { recursionLimit: 3 }),
    );
    expect(trajectories[0]?.closed).toBe("error");
    expect(steps(trajectories[0])).toEqual([
      ["again", "next-input", "ok"],
      ["again", "next-input", "ok"],
      ["again", "update-only", "ok"],
    ]);
  });

  it("closes as aborted after an abort signal", async () => {
    const graph = new StateGraph(State)
      .addNode("quick", add("quick"))
      .addNode("slow", async () => {
        await wait(60);
        return { plan: "late" };
      })
      .addEdge(START, "quick")
      .addEdge("quick", "slow")
      .compile();
    const { trajectories, result } = await captured(graph, (target) =>
      target.invoke({ plan: "p" }, { signal: AbortSignal.timeout(20) }),
    );
    expect(result).toBeInstanceOf(Error);
    expect(trajectories[0]?.closed).toBe("aborted");
    expect(steps(trajectories[0])).toEqual([
      ["quick", "next-input", "ok"],
      ["slow", "aborted", "cancelled"],
    ]);
  });

  it("closes as aborted when the caller leaves the stream", async () => {
    const { trajectories } = await captured(loop(), async (graph) => {
      for await (const _ of await graph.stream({ plan: "p" })) break;
    });
    expect(trajectories[0]?.closed).toBe("aborted");
    expect(trajectories[0]?.steps.length).toBeGreaterThan(0);
  });

  it("closes a run that ends by a model call limit", async () => {
    const model = new ScriptedModel(
      () => new AIMessage({ content: "", tool_calls: [{ id: "1", name: "lookup", args: { key: "k" } }] }),
    );
    const agent = createAgent({
      model,
      tools: [lookup],
      middleware: [modelCallLimitMiddleware({ runLimit: 1, exitBehavior: "end" } as never)] as never,
    });
    const { trajectories } = await captured(agent, (target) => target.invoke(asked as never));
    expect(trajectories[0]?.closed).toBe("complete");
    expect(trajectories[0]?.steps.length).toBeGreaterThanOrEqual(2);
  });

  it("keeps a tool's failure that its node caught", async () => {
    const broken = tool(
      async () => {
        throw new Error("no such page");
      },
      { name: "broken", description: "Fails.", schema: z.object({}) },
    );
    const model = new ScriptedModel((messages) =>
      toolCount(messages) > 0
        ? new AIMessage("sorry")
        : new AIMessage({ content: "", tool_calls: [{ id: "1", name: "broken", args: {} }] }),
    );
    const agent = createAgent({
      model,
      tools: [broken],
      middleware: [toolRetryMiddleware({ maxRetries: 0, onFailure: "continue" })] as never,
    });
    const { records, trajectories } = await captured(agent, (target) => target.invoke(asked as never));
    expect(steps(trajectories[0])[1]).toEqual(["tool:broken", "next-input", "ok"]);
    const step = records.find((record) => record["record"] === "step" && record["index"] === 1);
    expect(step?.["observation"]).toEqual({ failed_tools: ["broken"] });
    const state = step?.["state_after"] as { blocks: { kind: string }[] };
    // What a failing tool says is not evidence about the question.
    expect(state.blocks.at(-1)?.kind).toBe("other");
  });

  it("takes the whole history of a second turn as its first state", async () => {
    const { MemorySaver } = await import("@langchain/langgraph");
    const agent = createAgent({
      model: new ScriptedModel(() => new AIMessage("yes")),
      tools: [],
      checkpointer: new MemorySaver(),
    });
    const config = { configurable: { thread_id: "turns" } };
    const { records, trajectories } = await captured(agent, async (target) => {
      await target.invoke({ messages: [new HumanMessage("first?")] }, config);
      await target.invoke({ messages: [new HumanMessage("second?")] }, config);
    });
    expect(trajectories.length).toBe(2);
    const second = records.filter((record) => record["record"] === "step")[1];
    expect(
      (second?.["state_before"] as { blocks: { text: string }[] } | undefined)?.blocks.map(
        (block) => block.text,
      ),
    ).toEqual(["first?", "yes", "second?"]);
    expect(trajectories[1]?.open?.["task"]).toMatchObject({ question: "second?" });
  });
});

it("sweeps a run of which nothing more is heard", async () => {
  const sink = memorySink();
  const { asvCallbackHandler } = await import("../index.ts");
  const handler = asvCallbackHandler({ sinks: [sink], maxOpenMs: 20 });
  handler.handleChainStart(
    { id: ["langgraph", "pregel", "CompiledStateGraph"] },
    { plan: "p" },
    "root",
    undefined,
    [],
    {},
  );
  const metadata = {
    langgraph_node: "a",
    langgraph_step: 1,
    langgraph_path: ["__pregel_pull", "a"],
    langgraph_checkpoint_ns: "a:1",
  };
  handler.handleChainStart({}, { plan: "p" }, "node", "root", [], metadata, undefined, "a");
  expect(handler.open).toEqual({ trajectories: 1, runs: 2 });
  await wait(100);
  expect(handler.open).toEqual({ trajectories: 0, runs: 0 });
  const [trajectory] = trajectoriesOf(sink.records);
  expect(trajectory?.closed).toBe("abandoned");
  expect(steps(trajectory)).toEqual([["a", "abandoned", "cancelled"]]);
  // What still comes is nothing.
  handler.handleChainEnd({ plan: "q" }, "node");
  handler.handleChainEnd({ plan: "q" }, "root");
  expect(trajectoriesOf(sink.records)[0]?.steps.length).toBe(1);
});

it("keeps two calls of one tool apart when the second ends first", async () => {
  const { trajectories, records } = await captured(searchingAgent(), (agent) => agent.invoke(asked));
  expect(trajectories[0]?.steps[1]?.action).toMatchObject({ parallel: 2 });
  expect(afterTexts(records, 1).slice(-2)).toEqual(["found slow", "found fast"]);
  expect(search.name).toBe("search");
});
