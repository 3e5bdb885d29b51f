import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import {
  captured,
  chains,
  normalised,
  trajectoriesOf,
  useContextManager,
  visible,
} from "./captured.test-support.ts";
import { withASVCapture } from "./index.ts";
import { majors } from "./majors.test-support.ts";
import {
  agentClass,
  drain,
  hostOf,
  resultOf,
  searchCall,
  searchTools,
  searching,
  question,
  type Host,
} from "./scenarios.test-support.ts";
import { memorySink } from "@agent-step-value/sdk/capture";
import { stopAfter } from "./majors.test-support.ts";

afterAll(useContextManager());

const stream = (host: Host) => host.ai["streamText"](searchCall(host));

function agentOf(host: Host): any {
  const { prompt: _, ...settings } = searchCall(host);
  return new (agentClass(host))(settings);
}

async function bodyOf(response: Response): Promise<unknown> {
  return { status: response.status, headers: [...response.headers], body: await response.text() };
}

/** What a client gets of a handler that writes to Node's own response. */
async function served(handle: (response: ServerResponse) => void): Promise<unknown> {
  const server = createServer((_, response) => handle(response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}`);
    return { status: response.status, body: await response.text() };
  } finally {
    server.close();
  }
}

/** Every way of running one scripted tool loop. */
const entries: Record<string, (host: Host) => Promise<unknown>> = {
  generateText: async (host) => resultOf(await host.ai["generateText"](searchCall(host))),
  textStream: (host) => drain(stream(host).textStream),
  fullStream: (host) => drain(stream(host).fullStream),
  "a reader of textStream": async (host) => {
    const reader = stream(host).textStream.getReader();
    const chunks: unknown[] = [];
    for (let read = await reader.read(); !read.done; read = await reader.read()) chunks.push(read.value);
    return chunks;
  },
  "promises alone": (host) => resultOf(stream(host)),
  "consumeStream, then promises": async (host) => {
    const result = stream(host);
    await result.consumeStream();
    return resultOf(result);
  },
  "two streams of one result": async (host) => {
    const result = stream(host);
    return Promise.all([drain(result.textStream), drain(result.fullStream), result.text]);
  },
  toUIMessageStream: (host) => drain(stream(host).toUIMessageStream()),
  toUIMessageStreamResponse: (host) => bodyOf(stream(host).toUIMessageStreamResponse()),
  toTextStreamResponse: (host) => bodyOf(stream(host).toTextStreamResponse()),
  pipeTextStreamToResponse: (host) => served((response) => stream(host).pipeTextStreamToResponse(response)),
  pipeUIMessageStreamToResponse: (host) =>
    served((response) => stream(host).pipeUIMessageStreamToResponse(response)),
  "agent.generate": async (host) => resultOf(await agentOf(host).generate({ prompt: question })),
  "agent.stream": async (host) => drain((await agentOf(host).stream({ prompt: question })).fullStream),
  "agent.stream, promises": async (host) => resultOf(await agentOf(host).stream({ prompt: question })),
};

describe.each(majors)("ai $major: one tool loop through every entry point", (major) => {
  it.each(Object.entries(entries))("%s", async (_, run) => {
    const bare = hostOf(major, major.ai);
    const expected = await run(bare);
    const { ai, sink, spans } = captured(major);
    const host = hostOf(major, ai);
    const seen = await run(host);
    expect(visible(seen)).toBe(visible(expected));
    expect(host.asked).toEqual(bare.asked);
    const [trajectory, ...more] = trajectoriesOf(sink);
    expect(more).toEqual([]);
    expect(trajectory!.steps.map((step) => [step.type, step.kind, step.status, step.fidelity])).toEqual([
      ["tool:search", "llm", "ok", "step-result"],
      ["tool:lookup", "llm", "ok", "step-result"],
      ["model", "llm", "ok", "step-result"],
    ]);
    expect(trajectory!.closed).toBe("complete");
    expect(chains(trajectory!)).toBe(true);
    expect(spans.open.size).toBe(0);
    expect(spans.ended.map((span) => span.name).sort()).toEqual([
      "asv.step",
      "asv.step",
      "asv.step",
      "asv.trajectory",
    ]);
  });
});

it("all of them record the same trajectory", async () => {
  const trajectories: unknown[] = [];
  for (const major of majors) {
    for (const run of Object.values(entries)) {
      const { ai, sink } = captured(major);
      await run(hostOf(major, ai));
      trajectories.push(normalised(trajectoriesOf(sink)[0]!));
    }
  }
  expect(trajectories.length).toBe(3 * Object.keys(entries).length);
  expect(trajectories[0]).toMatchObject({
    question,
    actor: { model: "scripted-1" },
    closed: "complete",
    steps: [
      {
        action: {
          type: "tool:search",
          finish_reason: "tool-calls",
          parallel: 2,
          calls: [
            { tool: "search", args: { query: "slow" } },
            { tool: "search", args: { query: "fast" } },
          ],
        },
        cost: { prompt_tokens: 10, completion_tokens: 4, tool_calls: 2 },
        blocksBefore: [`task user: ${question}`],
        blocks: [
          `task user: ${question}`,
          "reasoning assistant: Two places to look.",
          'tool_call search: {"query":"slow"}',
          'tool_call search: {"query":"fast"}',
          "evidence search: found slow",
          "evidence search: found fast",
        ],
      },
      { type: "tool:lookup", blocksBefore: undefined },
      { type: "model" },
    ],
  });
  const last = (trajectories[0] as { steps: { blocks: string[] }[] }).steps[2]!.blocks;
  expect(last.slice(-3)).toEqual([
    'tool_call lookup: {"key":"harbour"}',
    'evidence lookup: {"value":"of harbour"}',
    "answer assistant: The lamp is green.",
  ]);
  for (const trajectory of trajectories) expect(trajectory).toEqual(trajectories[0]);
});

describe.each(majors)("ai $major: what is wrapped", (major) => {
  const settings = (host: Host) => ({
    model: host.model(searching),
    tools: searchTools(host.ai),
    stopWhen: stopAfter(major, 5),
  });

  it("one agent of the SDK's own class, which stays what it is", async () => {
    const sink = memorySink();
    const host = hostOf(major, major.ai);
    const Agent = agentClass(host);
    const agent = new Agent({ ...settings(host), id: "lamp-agent" });
    const wrapped = withASVCapture(agent, { sinks: [sink] });
    expect(wrapped).toBeInstanceOf(Agent);
    expect(wrapped.tools).toBe(agent.tools);
    expect((await wrapped.generate({ prompt: question })).text).toBe("The lamp is green.");
    const [trajectory] = trajectoriesOf(sink);
    expect(trajectory!.steps.map((step) => step.type)).toEqual(["tool:search", "tool:lookup", "model"]);
    expect(trajectory!.open["metadata"]).toMatchObject({
      runnable: "lamp-agent",
      operation: "agent.generate",
    });
    expect(chains(trajectory!)).toBe(true);
    // The agent itself is as it was.
    await agent.generate({ prompt: question });
    expect(trajectoriesOf(sink).length).toBe(1);
  });

  it("some functions of the namespace, whose major cannot be told", async () => {
    for (const part of [{ generateText: major.ai["generateText"] }, { streamText: major.ai["streamText"] }]) {
      const sink = memorySink();
      const ai = withASVCapture(part as never, { sinks: [sink] }) as typeof major.ai;
      const host = hostOf(major, major.ai);
      const call = searchCall(host);
      if (ai["generateText"]) await ai["generateText"](call);
      else await drain(ai["streamText"](call).textStream);
      const [trajectory] = trajectoriesOf(sink);
      const reference = captured(major);
      await reference.ai["generateText"](searchCall(hostOf(major, reference.ai)));
      expect(normalised(trajectory!)).toEqual(normalised(trajectoriesOf(reference.sink)[0]!));
    }
  });

  it("classes: instances, derived classes and instanceof work both ways", async () => {
    const { ai, sink } = captured(major);
    const host = hostOf(major, ai);
    const Captured = agentClass(host);
    const Original = agentClass(hostOf(major, major.ai));
    expect(Captured.name).toBe(Original.name);
    class Derived extends Captured {
      generate(options: unknown): unknown {
        return super.generate(options);
      }
    }
    const derived = new Derived(settings(host)) as any;
    const plain = new Original(settings(host));
    expect(derived).toBeInstanceOf(Original);
    expect(derived).toBeInstanceOf(Captured);
    expect(derived).toBeInstanceOf(Derived);
    expect(plain).toBeInstanceOf(Captured);
    expect(plain).not.toBeInstanceOf(Derived);
    expect({}).not.toBeInstanceOf(Captured);
    await derived.generate({ prompt: question });
    const [trajectory, ...more] = trajectoriesOf(sink);
    expect(more).toEqual([]);
    expect(trajectory!.steps.length).toBe(3);
  });

  it("twice: the first one has the run", async () => {
    const outer = memorySink();
    const inner = memorySink();
    const once = withASVCapture(major.ai as never, { sinks: [inner] });
    const twice = withASVCapture(once, { sinks: [outer] }) as typeof major.ai;
    await twice["generateText"](searchCall(hostOf(major, twice)));
    await drain(twice["streamText"](searchCall(hostOf(major, twice))).fullStream);
    const host = hostOf(major, once);
    const agent = withASVCapture(new (agentClass(host))(settings(host)), { sinks: [outer] });
    await agent.generate({ prompt: question });
    expect(trajectoriesOf(outer).map(({ steps, closed }) => [steps.length, closed])).toEqual([
      [3, "complete"],
      [3, "complete"],
      [3, "complete"],
    ]);
    expect(inner.records).toEqual([]);
  });

  it("everything else of the namespace is its own, and functions keep name and length", () => {
    const { ai } = captured(major);
    const wrapped = new Set(Object.keys(ai).filter((name) => ai[name] !== major.ai[name]));
    expect([...wrapped].sort()).toEqual(
      [
        "Experimental_Agent",
        ...(major.major === 5 ? [] : ["ToolLoopAgent"]),
        ...(major.major === 7 ? ["experimental_streamTextLowMemory"] : []),
        "generateObject",
        "generateText",
        "streamObject",
        "streamText",
      ].sort(),
    );
    expect(Object.keys(ai).sort()).toEqual(Object.keys(major.ai).sort());
    for (const name of ["generateText", "streamText", "generateObject", "streamObject"]) {
      expect([ai[name].name, ai[name].length]).toEqual([major.ai[name].name, major.ai[name].length]);
    }
    if (major.major > 5) expect(ai["Experimental_Agent"]).toBe(ai["ToolLoopAgent"]);
  });
});

it.each([[undefined], [null], [{}], ["ai"], [{ embed: () => 1 }], [{ generate: () => 1, stream: () => 1 }]])(
  "%j has nothing to capture",
  (target) => {
    expect(() => withASVCapture(target as never)).toThrow(TypeError);
  },
);
