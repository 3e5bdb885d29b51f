import { describe, expect, it } from "vitest";
import { withASVCapture } from "../index.ts";
import {
  afterTexts,
  asked,
  chains,
  memorySink,
  normalised,
  searchingAgent,
  trajectoriesOf,
} from "../scripted.test-support.ts";

type Agent = ReturnType<typeof searchingAgent>;

async function drain(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const chunks: unknown[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

const MODES = ["values", "updates", "messages", "debug", "tasks", "custom"] as const;

const entries: [string, (agent: Agent) => Promise<unknown>][] = [
  ["invoke", (agent) => agent.invoke(asked)],
  ["streamEvents v2", (agent) => drain(agent.streamEvents(asked, { version: "v2" }))],
  [
    "stream, several modes",
    async (agent) => drain(await agent.stream(asked, { streamMode: ["values", "updates"] })),
  ],
  [
    "graph.batch",
    (agent) => (agent.graph as unknown as { batch(inputs: unknown[]): Promise<unknown> }).batch([asked]),
  ],
  ...MODES.flatMap((streamMode) =>
    [true, false].map((subgraphs): [string, (agent: Agent) => Promise<unknown>] => [
      `stream ${streamMode}, subgraphs ${subgraphs}`,
      async (agent) => drain(await agent.stream(asked, { streamMode, subgraphs })),
    ]),
  ),
];

/** Ids and times differ between any two runs; everything else a user sees must not. */
function withoutIds(value: unknown): unknown {
  const text = JSON.stringify(value, (key, item: unknown) =>
    /^(id|run_id|parent_ids|timestamp|ts|checkpoint_id|checkpoint_ns|langgraph_checkpoint_ns)$/.test(key)
      ? undefined
      : item,
  );
  return text?.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<id>");
}

describe("one scripted agent through every entry point", async () => {
  const reference = memorySink();
  await withASVCapture(searchingAgent(), { sinks: [reference] }).invoke(asked);

  it("has five steps that chain", () => {
    const [trajectory, ...more] = trajectoriesOf(reference.records);
    expect(more).toEqual([]);
    expect(trajectory?.closed).toBe("complete");
    expect(trajectory?.steps.map((step) => [step.type, step.kind, step.fidelity])).toEqual([
      ["model", "llm", "next-input"],
      ["tool:search", "tool", "next-input"],
      ["model", "llm", "next-input"],
      ["tool:lookup", "tool", "next-input"],
      ["model", "llm", "run-output"],
    ]);
    expect(chains(trajectory!)).toBe(true);
    expect(trajectory?.open?.["metadata"]).toMatchObject({ actor: { system_prompt: "Answer briefly." } });
    expect(trajectory?.open?.["task"]).toMatchObject({ question: "What colour is the lamp?" });
  });

  it("keeps two calls of one tool apart, in the order of the calls", () => {
    const step = trajectoriesOf(reference.records)[0]?.steps[1];
    expect(step?.action).toMatchObject({
      type: "tool:search",
      parallel: 2,
      tasks: [
        { calls: [{ tool: "search", args: { query: "slow" } }] },
        { calls: [{ tool: "search", args: { query: "fast" } }] },
      ],
    });
    expect(step?.cost).toEqual({ tool_calls: 2 });
    expect(afterTexts(reference.records, 1).slice(-2)).toEqual(["found slow", "found fast"]);
  });

  it("counts the tokens the model reports", () => {
    const steps = trajectoriesOf(reference.records)[0]?.steps;
    expect(steps?.[0]?.cost).toEqual({ prompt_tokens: 10, completion_tokens: 4 });
  });

  it.each(entries)("%s gives the same trajectory and the same results", async (_, run) => {
    const sink = memorySink();
    const bare = searchingAgent();
    const captured = withASVCapture(searchingAgent(), { sinks: [sink] });
    const seen = await run(captured);
    const expected = await run(bare);
    expect(withoutIds(seen)).toBe(withoutIds(expected));
    expect(normalised(sink.records)).toEqual(normalised(reference.records));
  });
});
