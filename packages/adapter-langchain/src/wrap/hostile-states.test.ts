import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Annotation, START, StateGraph } from "@langchain/langgraph";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { createAgent, tool } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { asvFlush, withASVCapture, type ASVCaptureOptions } from "../index.ts";
import {
  afterTexts,
  asked,
  memorySink,
  ScriptedModel,
  searchingAgent,
  toolCount,
  trajectoriesOf,
} from "../scripted.test-support.ts";

const State = Annotation.Root({
  plan: Annotation<string>(),
  held: Annotation<unknown>(),
  again: Annotation<unknown>(),
});

function holding(value: () => unknown, options: ASVCaptureOptions) {
  const graph = new StateGraph(State)
    .addNode("hold", async () => ({ held: value() }))
    .addNode("next", async () => ({ plan: "went on" }))
    .addEdge(START, "hold")
    .addEdge("hold", "next")
    .compile();
  return withASVCapture(graph, options);
}

const cycle = (): unknown => {
  const socket: Record<string, unknown> = { port: 80 };
  socket["self"] = { peer: socket };
  return socket;
};

const throwing = Object.defineProperty({ fine: 1 }, "bad", {
  enumerable: true,
  get() {
    throw new Error("getter");
  },
});

const values: [string, () => unknown, string | RegExp][] = [
  ["a cycle", cycle, "[circular]"],
  ["a bigint", () => ({ count: 12n }), "12n"],
  ["a function", () => ({ run: () => 1 }), "[function]"],
  ["a throwing getter", () => throwing, "[unreadable]"],
  [
    "a throwing toJSON",
    () => ({
      kept: "yes",
      toJSON: () => {
        throw new Error("toJSON");
      },
    }),
    '"kept":"yes"',
  ],
  ["a symbol key and value", () => ({ [Symbol("key")]: 1, value: Symbol("value") }), "[symbol]"],
  ["NaN and infinity", () => ({ a: Number.NaN, b: Infinity }), '"NaN"'],
  ["a map and a set", () => ({ map: new Map([["k", 1]]), set: new Set([2]) }), '[["k",1]]'],
  ["an error", () => ({ last: new RangeError("too far") }), "RangeError"],
  ["a date", () => ({ at: new Date(0) }), /1970|\{\}/],
  ["bytes", () => ({ raw: new Uint8Array(200).fill(7) }), "bytes"],
  ["a key named __proto__", () => JSON.parse('{"__proto__":{"polluted":true},"fine":1}'), "fine"],
  [
    "something very deep",
    () => {
      let deep: unknown = "bottom";
      for (let i = 0; i < 2000; i += 1) deep = { deep };
      return deep;
    },
    "[deep]",
  ],
  ["a lone surrogate", () => ({ text: "half \ud800" }), "half"],
  [
    "an object that is a proxy which throws",
    () =>
      new Proxy(
        {},
        {
          ownKeys() {
            throw new Error("ownKeys");
          },
        },
      ),
    "[unreadable]",
  ],
];

describe("a state that holds", () => {
  it.each(values)("%s is written down, and the host does not notice", async (_, value, written) => {
    const sink = memorySink();
    const held = value();
    const result = await holding(() => held, { sinks: [sink] }).invoke({ plan: "p" });
    expect(result.plan).toBe("went on");
    expect(result.held).toBe(held);
    const [trajectory] = trajectoriesOf(sink.records);
    expect(trajectory?.steps.map((step) => step.status)).toEqual(["ok", "ok"]);
    const texts = afterTexts(sink.records, 0).join("\n");
    if (typeof written === "string") expect(texts).toContain(written);
    else expect(texts).toMatch(written);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it("one object twice is no cycle", async () => {
    const sink = memorySink();
    const shared = { city: "Tolmer" };
    await holding(() => ({ from: shared, to: shared }), { sinks: [sink] }).invoke({ plan: "p" });
    expect(afterTexts(sink.records, 0).join()).toContain('{"from":{"city":"Tolmer"},"to":{"city":"Tolmer"}}');
  });

  it("what a node changes in place is seen as it was at each moment", async () => {
    const sink = memorySink();
    const graph = new StateGraph(State)
      .addNode("one", async () => ({ held: { list: ["one"] } }))
      .addNode("two", async (state) => {
        (state.held as { list: string[] }).list.push("two");
        return { plan: "changed" };
      })
      .addEdge(START, "one")
      .addEdge("one", "two")
      .compile();
    await withASVCapture(graph, { sinks: [sink] }).invoke({ plan: "p" });
    expect(afterTexts(sink.records, 0)).toEqual(["p", '{"list":["one"]}']);
    expect(afterTexts(sink.records, 1)).toEqual(["changed", '{"list":["one","two"]}']);
  });
});

it("bounds a state of 2 MB and 400 messages, says what it cut, and keeps the task and the newest", async () => {
  const sink = memorySink();
  const history = [
    new HumanMessage("What colour is the lamp?"),
    ...Array.from({ length: 400 }, (_, i) => new AIMessage(`${i}: ${"word ".repeat(1000)}`)),
  ];
  const agent = withASVCapture(
    createAgent({ model: new ScriptedModel(() => new AIMessage("green")), tools: [] }),
    {
      sinks: [sink],
    },
  );
  await agent.invoke({ messages: history });
  const step = sink.records.find((record) => record["record"] === "step");
  const state = step?.["state_after"] as { blocks: { text: string }[]; truncated: { chars: number } };
  expect(JSON.stringify(state).length).toBeLessThan(40_000);
  expect(state.truncated.chars).toBeGreaterThan(1_900_000);
  expect(state.blocks.at(0)?.text).toBe("What colour is the lamp?");
  expect(state.blocks.at(-1)?.text).toBe("green");
});

it("takes a tool call's arguments that JSON cannot hold", async () => {
  const sink = memorySink();
  const count = tool(async () => "counted", {
    name: "count",
    description: "Counts.",
    schema: z.object({ n: z.any() }),
  });
  const model = new ScriptedModel((messages) =>
    toolCount(messages) > 0
      ? new AIMessage("done")
      : new AIMessage({ content: "", tool_calls: [{ id: "1", name: "count", args: { n: 7n } }] }),
  );
  await withASVCapture(createAgent({ model, tools: [count] }), { sinks: [sink] }).invoke(asked);
  expect(trajectoriesOf(sink.records)[0]?.steps[1]?.action).toMatchObject({
    type: "tool:count",
    calls: [{ tool: "count", args: { n: "7n" } }],
  });
});

describe("a sink", () => {
  const reference = async () => (await searchingAgent().invoke(asked)).messages.length;

  it("that throws costs the host nothing and is told once a problem", async () => {
    const problems: Error[] = [];
    const broken = {
      name: "broken",
      open: () => {
        throw new Error("disk on fire");
      },
    };
    const good = memorySink();
    const agent = withASVCapture(searchingAgent(), {
      sinks: [broken, good],
      onError: (error) => problems.push(error),
    });
    expect((await agent.invoke(asked)).messages.length).toBe(await reference());
    expect(problems.length).toBeGreaterThan(0);
    expect(trajectoriesOf(good.records)[0]?.steps.length).toBe(5);
  });

  it("that cannot be written stops with one message, and counts what is lost", async () => {
    const problems: Error[] = [];
    const agent = withASVCapture(searchingAgent(), {
      file: "/proc/no-such-folder/runs.jsonl",
      onError: (error) => problems.push(error),
    });
    expect((await agent.invoke(asked)).messages.length).toBe(await reference());
    await agent.invoke(asked);
    expect(problems.length).toBe(1);
    expect(problems[0]?.message).toContain("/proc/no-such-folder/runs.jsonl");
    expect((await asvFlush(agent)).dropped).toBe(10);
  });

  it("whose onError throws is no problem either", async () => {
    const agent = withASVCapture(searchingAgent(), {
      sinks: [
        {
          name: "broken",
          open: () => {
            throw new Error("x");
          },
        },
      ],
      onError: () => {
        throw new Error("and this too");
      },
    });
    expect((await agent.invoke(asked)).messages.length).toBe(await reference());
  });
});

it("writes a file that reads back as the run was", async () => {
  const folder = mkdtempSync(join(tmpdir(), "asv-lc-"));
  const file = join(folder, "runs.asv.jsonl");
  await withASVCapture(searchingAgent(), { file }).invoke(asked);
  const { readTrajectories } = await import("@agent-step-value/sdk/jsonl");
  const read = [];
  for await (const trajectory of readTrajectories([file])) read.push(trajectory);
  expect(read.map((trajectory) => [trajectory.steps.length, trajectory.status])).toEqual([[5, "complete"]]);
  expect(
    read[0]?.steps.every((step) => step.stateBefore !== undefined && step.stateAfter !== undefined),
  ).toBe(true);
  expect(read[0]?.sourceAdapter).toBe("langchain");
  expect(readFileSync(file, "utf8").split("\n").length).toBe(1 + 5 + 1 + 1);
  rmSync(folder, { recursive: true });
});
