import { setTimeout as wait } from "node:timers/promises";
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
import { asvCallbackHandler, withASVCapture } from "../index.ts";
import { claimCount } from "../runs/claims.ts";
import {
  afterTexts,
  chains,
  memorySink,
  ScriptedModel,
  toolCount,
  trajectoriesOf,
} from "../scripted.test-support.ts";

const exporter = new InMemorySpanExporter();
const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });

beforeAll(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()));
afterAll(() => context.disable());

/** Says back the number it is asked, after a tool that takes a time of its own. */
function echoingAgent() {
  const echo = tool(
    async ({ n }: { n: number }) => {
      await wait((n * 7) % 23);
      return `echo ${n}`;
    },
    { name: "echo", description: "Says it back.", schema: z.object({ n: z.number() }) },
  );
  const model = new ScriptedModel((messages) => {
    const n = Number(/\d+/.exec(messages.at(0)?.text ?? "")?.[0]);
    return toolCount(messages) > 0
      ? new AIMessage(`it was ${n}`)
      : new AIMessage({ content: "", tool_calls: [{ id: `c${n}`, name: "echo", args: { n } }] });
  });
  return createAgent({ model, tools: [echo] });
}

const question = (n: number) => ({ messages: [{ role: "user", content: `number ${n}` }] });

it("keeps 50 concurrent runs of one wrapped agent apart, each in the trace of its caller", async () => {
  const sink = memorySink();
  const agent = withASVCapture(echoingAgent(), { sinks: [sink], tracerProvider });
  const tracer = tracerProvider.getTracer("test");
  const callers = await Promise.all(
    Array.from({ length: 50 }, async (_, n) =>
      tracer.startActiveSpan(`caller ${n}`, { root: true }, async (span) => {
        await agent.invoke(question(n));
        expect(trace.getActiveSpan()).toBe(span);
        span.end();
        return span.spanContext();
      }),
    ),
  );
  const trajectories = trajectoriesOf(sink.records);
  expect(trajectories.length).toBe(50);
  const spans = exporter.getFinishedSpans().filter((span) => span.name.startsWith("asv."));
  expect(spans.length).toBe(50 * 4);
  for (const [n, caller] of callers.entries()) {
    const own = trajectories.find(
      ({ open }) => (open?.["task"] as { question: string } | undefined)?.question === `number ${n}`,
    )!;
    expect(own.closed).toBe("complete");
    expect(own.steps.map((step) => step.type)).toEqual(["model", "tool:echo", "model"]);
    expect(chains(own)).toBe(true);
    const records = sink.records.filter((record) => record["trajectory_id"] === own.id);
    expect(afterTexts(records, 2)).toEqual([`number ${n}`, `{"n":${n}}`, `echo ${n}`, `it was ${n}`]);
    const mine = spans.filter((span) => span.attributes["asv.trajectory.id"] === own.id);
    expect(mine.map((span) => span.spanContext().traceId)).toEqual(Array(4).fill(caller.traceId));
    const root = mine.find((span) => span.name === "asv.trajectory")!;
    expect(root.parentSpanContext?.spanId).toBe(caller.spanId);
    for (const step of mine.filter((span) => span.name === "asv.step")) {
      expect(step.parentSpanContext?.spanId).toBe(root.spanContext().spanId);
    }
  }
  expect(claimCount()).toBe(0);
});

/** `bench/langchain-overhead/leak.mjs` does the same 5,000 times and watches the heap. */
it("holds nothing of 250 runs of which a fifth is aborted", async () => {
  const handler = asvCallbackHandler({ sinks: [{ name: "nowhere", open: () => "skipped" as const }] });
  const agent = echoingAgent().withConfig({ callbacks: [handler] });
  let aborted = 0;
  for (let n = 0; n < 250; n += 25) {
    const runs = Array.from({ length: 25 }, async (_, i) => {
      const stop = new AbortController();
      const run = agent.invoke(question(n + i), { signal: stop.signal });
      if (i % 5 === 0) setTimeout(() => stop.abort(), 3);
      return run.catch(() => (aborted += 1));
    });
    await Promise.all(runs);
  }
  await wait(30);
  expect(aborted).toBeGreaterThan(10);
  expect(handler.open).toEqual({ trajectories: 0, runs: 0 });
  expect(handler.recorder.openTrajectories).toBe(0);
  expect(claimCount()).toBe(0);
});
