import { memorySink } from "@agent-step-value/sdk/capture";
import { registerTelemetry } from "ai";
import { registerTelemetryIntegration } from "ai-v6";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import {
  captured,
  chains,
  normalised,
  SpanBook,
  trajectoriesOf,
  useContextManager,
} from "../captured.test-support.ts";
import { asvFlush, asvTelemetry, type ASVTelemetry } from "../index.ts";
import { majors, stopAfter, type Major, type Turn } from "../majors.test-support.ts";
import {
  drain,
  hostOf,
  outcomeOf,
  question,
  searchCall,
  searching,
  searchTools,
} from "../scenarios.test-support.ts";

afterAll(useContextManager());

const registry = globalThis as { AI_SDK_TELEMETRY_INTEGRATIONS?: unknown[] | undefined };
afterEach(() => {
  registry.AI_SDK_TELEMETRY_INTEGRATIONS = undefined;
});

const [, six, seven] = majors as [Major, Major, Major];
const register = (major: Major, telemetry: ASVTelemetry) =>
  // Each takes our type as its own.
  major.major === 7 ? registerTelemetry(telemetry) : registerTelemetryIntegration(telemetry);

function registered(major: Major, options: Parameters<typeof asvTelemetry>[0] = {}) {
  const sink = memorySink();
  const spans = new SpanBook();
  const telemetry = asvTelemetry({ sinks: [sink], tracerProvider: spans.provider, ...options });
  register(major, telemetry);
  return { sink, spans, telemetry, host: hostOf(major, major.ai) };
}

describe.each([six, seven])("registered for all calls of ai $major", (major) => {
  it("records what a wrapped call records", async () => {
    const { sink, spans, host } = registered(major);
    await host.ai["generateText"](searchCall(host));
    await drain(host.ai["streamText"](searchCall(host)).fullStream);
    registry.AI_SDK_TELEMETRY_INTEGRATIONS = undefined;
    const reference = captured(major);
    await reference.ai["generateText"](searchCall(hostOf(major, reference.ai)));
    const expected = normalised(trajectoriesOf(reference.sink)[0]!);
    const seen = trajectoriesOf(sink);
    expect(seen.map(normalised)).toEqual([expected, expected]);
    expect(spans.open.size).toBe(0);
  });

  it("keeps concurrent runs apart", async () => {
    const { sink, host } = registered(major);
    const runs = Array.from({ length: 12 }, async (_, i) => {
      const turns: Turn[] = [
        { calls: [{ id: "id", tool: "search", input: { query: `n${i}` } }] },
        { text: `Answer ${i}.` },
      ];
      const call = {
        model: host.model(turns),
        tools: searchTools(host.ai),
        stopWhen: stopAfter(major, 3),
        prompt: `Question ${i}?`,
      };
      if (i % 2 === 0 || major.major === 6) await host.ai["generateText"](call);
      else await drain(host.ai["streamText"](call).textStream);
    });
    await Promise.all(runs);
    const seen = trajectoriesOf(sink);
    const lasts = seen.map((one) => [one.steps[1]!.blocks![0], one.steps[1]!.blocks!.at(-1)]);
    expect(lasts).toEqual(
      expect.arrayContaining(
        Array.from({ length: 12 }, (_, i) => [`task user: Question ${i}?`, `answer assistant: Answer ${i}.`]),
      ),
    );
    expect(seen.every((one) => one.closed === "complete" && chains(one))).toBe(true);
  });

  it("links a call inside a tool to the one around it", async () => {
    const { sink, host } = registered(major);
    const inner = host.model([{ text: "Green." }]);
    const tools = {
      ask: host.ai["tool"]({
        description: "Asks.",
        inputSchema: z.object({}),
        execute: async () => (await host.ai["generateText"]({ model: inner, prompt: "Which?" })).text,
      }),
    };
    const model = host.model([
      { calls: [{ id: "1", tool: "ask", input: {} }] },
      { text: "Green, they say." },
    ]);
    await host.ai["generateText"]({ model, tools, prompt: question, stopWhen: stopAfter(major, 3) });
    const [outer, nested] = trajectoriesOf(sink);
    expect([outer!.steps.length, nested!.steps.length]).toEqual([2, 1]);
    expect(nested!.parent).toBe(outer!.id);
  });

  it("captures a wrapped call once, and calls inside its tools as well", async () => {
    const { sink, host } = registered(major);
    const wrapped = captured(major);
    const inner = host.model([{ text: "Green." }]);
    const tools = {
      ask: host.ai["tool"]({
        description: "Asks.",
        inputSchema: z.object({}),
        execute: async () => (await host.ai["generateText"]({ model: inner, prompt: "Which?" })).text,
      }),
    };
    const model = host.model([{ calls: [{ id: "1", tool: "ask", input: {} }] }, { text: "Green." }]);
    await wrapped.ai["generateText"]({ model, tools, prompt: question, stopWhen: stopAfter(major, 3) });
    const [outer, ...more] = trajectoriesOf(wrapped.sink);
    expect(more).toEqual([]);
    const [nested, ...others] = trajectoriesOf(sink);
    expect(others).toEqual([]);
    expect(nested!.parent).toBe(outer!.id);
  });

  it("leaves other integrations alone", async () => {
    const { host } = registered(major);
    const ends: string[] = [];
    const other = { onStepFinish: () => void ends.push("global") };
    register(major, other as never);
    const wrapped = captured(major);
    await wrapped.ai["generateText"](searchCall(hostOf(major, wrapped.ai)));
    await host.ai["generateText"](searchCall(host));
    expect(ends.length).toBe(6);
    // Those of a call stand in place of the registered ones in AI SDK 7, and beside them in 6.
    ends.length = 0;
    const own = { integrations: { onStepFinish: () => void ends.push("own") } };
    await wrapped.ai["generateText"]({
      ...searchCall(hostOf(major, wrapped.ai)),
      [major.major === 7 ? "telemetry" : "experimental_telemetry"]: own,
    });
    const heard = major.major === 7 ? ["own"] : ["own", "global"];
    expect([...ends].sort()).toEqual(heard.flatMap((name) => [name, name, name]).sort());
  });

  it("ends an aborted stream as aborted", async () => {
    const { sink, spans, host } = registered(major);
    const stop = new AbortController();
    const model = host.model((turn) => {
      if (turn === 0) return searching[0]!;
      setTimeout(() => stop.abort(), 5);
      return { text: "I was about ", hangs: true };
    });
    const call = {
      model,
      tools: searchTools(host.ai),
      stopWhen: stopAfter(major, 3),
      prompt: question,
      abortSignal: stop.signal,
    };
    await drain(host.ai["streamText"](call).fullStream);
    const [run] = trajectoriesOf(sink);
    expect(run!.closed).toBe("aborted");
    expect(run!.steps.map((one) => one.status)).toEqual(["ok", "cancelled"]);
    expect(spans.open.size).toBe(0);
  });

  it("abandons a stream that is left, when nothing more is heard of it", async () => {
    const { sink, spans, host, telemetry } = registered(major, { maxOpenMs: 40 });
    const call = { model: host.model([{ text: "One two three four five." }]), prompt: question };
    for await (const _ of host.ai["streamText"](call).textStream) break;
    await vi.waitFor(() => expect(trajectoriesOf(sink)[0]?.closed).toBe("abandoned"), { timeout: 2000 });
    expect(spans.open.size).toBe(0);
    expect((await asvFlush(telemetry)).written).toBe(1);
  });

  it("shuts down what is open", async () => {
    const { sink, spans, host, telemetry } = registered(major);
    const call = { model: host.model([{ text: "One two three four five." }]), prompt: question };
    for await (const _ of host.ai["streamText"](call).textStream) break;
    expect((await telemetry.shutdown()).written).toBe(1);
    expect(trajectoriesOf(sink)[0]!.closed).toBe("abandoned");
    expect(spans.open.size).toBe(0);
  });

  it("does not capture what telemetry settings forbid", async () => {
    const problems: string[] = [];
    const { sink, host } = registered(major, { onError: (error) => problems.push(error.message) });
    const name = major.major === 7 ? "telemetry" : "experimental_telemetry";
    await host.ai["generateText"]({ ...searchCall(host), [name]: { isEnabled: false } });
    if (major.major === 7) {
      await host.ai["generateText"]({ ...searchCall(host), [name]: { recordInputs: false } });
      expect(problems.join()).toContain("forbid");
      expect(sink.records).toEqual([]);
    }
  });
});

describe("registered for all calls of ai 7", () => {
  it("records object calls, with the text that the model wrote", async () => {
    const { sink, host } = registered(seven);
    const settings = () => ({
      model: host.model([{ text: '{"colour": "green"}' }]),
      prompt: question,
      schema: z.object({ colour: z.string() }),
    });
    await host.ai["generateObject"](settings());
    await drain(host.ai["streamObject"](settings()).partialObjectStream);
    const seen = trajectoriesOf(sink);
    expect(seen.map((one) => [one.steps[0]!.blocks!.at(-1), one.steps[0]!.cost, one.closed])).toEqual([
      ['answer assistant: {"colour": "green"}', { prompt_tokens: 10, completion_tokens: 4 }, "complete"],
      ['answer assistant: {"colour": "green"}', { prompt_tokens: 10, completion_tokens: 4 }, "complete"],
    ]);
  });

  it("records no call that runs no model in steps", async () => {
    const { sink, telemetry } = registered(seven);
    telemetry.onStart({ operationId: "ai.embed", callId: "e" });
    telemetry.onEnd({ callId: "e" });
    expect(sink.records).toEqual([]);
  });

  it("a call that throws is an error", async () => {
    const { sink, spans, host } = registered(seven);
    await outcomeOf(() =>
      host.ai["generateText"]({
        model: host.model([{ throws: new Error("down") }]),
        prompt: question,
        maxRetries: 0,
      }),
    );
    const [run] = trajectoriesOf(sink);
    expect([run!.closed, run!.steps[0]!.error]).toEqual(["error", { name: "Error", message: "down" }]);
    expect(spans.open.size).toBe(0);
  });
});

it("ai 6: of several streams at once, events that could belong to any of them are dropped and never mixed up", async () => {
  const problems: string[] = [];
  const { sink, spans, host, telemetry } = registered(six, {
    onError: (error) => problems.push(error.message),
  });
  const runs = Array.from({ length: 6 }, async (_, i) => {
    const turns: Turn[] = [
      { calls: [{ id: "id", tool: "search", input: { query: `n${i}` } }] },
      { text: `Answer ${i}.` },
    ];
    const call = {
      model: host.model(turns),
      tools: searchTools(host.ai),
      stopWhen: stopAfter(six, 3),
      prompt: `Question ${i}?`,
    };
    await drain(host.ai["streamText"](call).textStream);
  });
  await Promise.all(runs);
  await telemetry.shutdown();
  expect(problems.join()).toContain("could belong to several calls");
  const seen = trajectoriesOf(sink);
  expect(seen.length).toBe(6);
  for (const { steps } of seen) {
    const [, number] = /Question (\d)/.exec(steps[0]!.blocksBefore![0]!)!;
    const texts = steps.flatMap((one) => one.blocks ?? []).join();
    expect(texts).not.toMatch(new RegExp(`(Answer |n)(?!${number})\\d`));
  }
  expect(spans.open.size).toBe(0);
});
