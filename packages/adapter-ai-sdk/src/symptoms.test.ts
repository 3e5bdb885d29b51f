import { trace } from "@opentelemetry/api";
import { memorySink } from "@agent-step-value/sdk/capture";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from "@opentelemetry/sdk-trace-base";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import {
  captured,
  chains,
  SpanBook,
  trajectoriesOf,
  useContextManager,
  visible,
} from "./captured.test-support.ts";
import { asvFlush, withASVCapture } from "./index.ts";
import { majors, stopAfter, type AI, type Major, type Turn } from "./majors.test-support.ts";
import {
  agentClass,
  drain,
  hostOf,
  question,
  resultOf,
  searchCall,
  searching,
  searchTools,
} from "./scenarios.test-support.ts";

const registry = globalThis as { AI_SDK_TELEMETRY_INTEGRATIONS?: unknown[] | undefined };
afterEach(() => {
  registry.AI_SDK_TELEMETRY_INTEGRATIONS = undefined;
});

const parentOf = (span: ReadableSpan, all: readonly ReadableSpan[]) =>
  all.find((other) => other.spanContext().spanId === span.parentSpanContext?.spanId);

/** A tool that opens a span of the host's own. */
function spanningTools({ ai }: { ai: AI }, provider: BasicTracerProvider) {
  const tracer = provider.getTracer("host");
  return {
    search: ai["tool"]({
      description: "Searches.",
      inputSchema: z.object({}),
      execute: async () => {
        await Promise.resolve();
        tracer.startSpan("http.get").end();
        return "found";
      },
    }),
    pages: ai["tool"]({
      description: "Pages.",
      inputSchema: z.object({}),
      async *execute() {
        yield "one";
        await Promise.resolve();
        tracer.startSpan("http.get").end();
        yield "two";
      },
    }),
  };
}

const spanning: readonly Turn[] = [
  {
    calls: [
      { id: "1", tool: "search", input: {} },
      { id: "2", tool: "pages", input: {} },
    ],
  },
  { text: "Done." },
];

describe.each(majors)("ai $major", (major) => {
  describe("tool spans land in another trace than the step (vercel/ai 8897, 4228)", () => {
    it.each(["generateText", "streamText", "agent.generate", "agent.stream"])(
      "%s: they hang on the span of the step",
      async (way) => {
        const disable = useContextManager();
        try {
          const { ai, spans } = captured(major);
          const host = hostOf(major, ai);
          const settings = {
            model: host.model(spanning),
            tools: spanningTools({ ai }, spans.provider),
            stopWhen: stopAfter(major, 3),
          };
          const agent = () => new (agentClass(host))(settings);
          if (way === "generateText") await ai["generateText"]({ ...settings, prompt: question });
          if (way === "streamText")
            await drain(ai["streamText"]({ ...settings, prompt: question }).fullStream);
          if (way === "agent.generate") await agent().generate({ prompt: question });
          if (way === "agent.stream") await drain((await agent().stream({ prompt: question })).textStream);
          const own = spans.ended.filter(({ name }) => name === "http.get");
          expect(own.length).toBe(2);
          for (const span of own) {
            const parent = parentOf(span, spans.ended)!;
            expect([parent.name, parent.attributes["asv.step.index"]]).toEqual(["asv.step", 0]);
          }
        } finally {
          disable();
        }
      },
    );
  });

  it("spans of another instrumentation stay nearest to the tool's code", async () => {
    const disable = useContextManager();
    try {
      const { ai, spans } = captured(major);
      const tracer = spans.provider.getTracer("other");
      const tools = spanningTools({ ai }, spans.provider);
      const around = (execute: () => unknown) =>
        tracer.startActiveSpan("other.tool", (span) => {
          const result = execute();
          span.end();
          return result;
        });
      const settings = {
        model: hostOf(major, ai).model(spanning),
        tools: { search: tools.search, pages: tools.pages },
        stopWhen: stopAfter(major, 3),
        prompt: question,
      };
      if (major.major === 7) {
        await ai["generateText"]({
          ...settings,
          telemetry: { integrations: [{ executeTool: ({ execute }: any) => around(execute) }] },
        });
      } else {
        await ai["generateText"]({ ...settings, experimental_telemetry: { isEnabled: true, tracer } });
      }
      const own = spans.ended.filter(({ name }) => name === "http.get");
      const parents = own.map((span) => parentOf(span, spans.ended)!.name);
      expect(new Set(parents)).toEqual(new Set([major.major === 7 ? "other.tool" : "ai.toolCall"]));
    } finally {
      disable();
    }
  });

  it("parents are lost without a context manager (vercel/ai 11452): steps and inner runs still have theirs", async () => {
    const { ai, spans, sink } = captured(major);
    const host = hostOf(major, ai);
    const inner = host.model([{ text: "Green." }]);
    const tools = {
      ask: ai["tool"]({
        description: "Asks.",
        inputSchema: z.object({}),
        execute: async () => (await ai["generateText"]({ model: inner, prompt: "Which?" })).text,
      }),
    };
    const model = host.model([{ calls: [{ id: "1", tool: "ask", input: {} }] }, { text: "Green." }]);
    await ai["generateText"]({ model, tools, prompt: question, stopWhen: stopAfter(major, 3) });
    const [outer, nested] = trajectoriesOf(sink);
    expect(nested!.parent).toBe(outer!.id);
    const named = (name: string, id: string) =>
      spans.ended.filter((span) => span.name === name && span.attributes["asv.trajectory.id"] === id);
    const [root] = named("asv.trajectory", outer!.id);
    const [innerRoot] = named("asv.trajectory", nested!.id);
    for (const span of named("asv.step", outer!.id)) expect(parentOf(span, spans.ended)).toBe(root);
    for (const span of named("asv.step", nested!.id)) expect(parentOf(span, spans.ended)).toBe(innerRoot);
    expect(parentOf(innerRoot!, spans.ended)!.attributes["asv.step.index"]).toBe(0);
    expect(innerRoot!.links.map((link) => link.context.spanId)).toEqual([root!.spanContext().spanId]);
    expect(new Set(spans.ended.map((span) => span.spanContext().traceId)).size).toBe(1);
  });

  it("message counts grow twice as fast, or dropped messages come back (vercel/ai 15081, 9631): four steps", async () => {
    const turns: Turn[] = [0, 1, 2].map((i) => ({
      calls: [{ id: `c${i}`, tool: "search", input: { query: `q${i}` } }],
    }));
    const { ai, sink } = captured(major);
    const host = hostOf(major, ai);
    await ai["generateText"]({
      model: host.model([...turns, { text: "Done." }]),
      tools: searchTools(ai),
      prompt: question,
      stopWhen: stopAfter(major, 6),
    });
    const [run] = trajectoriesOf(sink);
    expect(run!.steps.map((one) => one.blocks!.length)).toEqual([3, 5, 7, 8]);
    expect(chains(run!)).toBe(true);
    const texts = run!.steps[3]!.blocks!;
    expect(new Set(texts).size).toBe(texts.length);
  });

  it.each([[Number.NaN], [undefined], [null], ["3"], [Number.POSITIVE_INFINITY]])(
    "usage of %s breaks the user's stream or is exported as a number (braintrust 1174, axiom 20)",
    async (inputTokens) => {
      const { ai, sink, spans } = captured(major);
      const host = hostOf(major, ai);
      const turn: Turn = { text: "Green.", usage: { inputTokens, outputTokens: 4 } };
      expect((await ai["generateText"]({ model: host.model([turn]), prompt: question })).text).toBe("Green.");
      expect(
        (await drain(ai["streamText"]({ model: host.model([turn]), prompt: question }).textStream)).join(""),
      ).toBe("Green.");
      for (const { steps } of trajectoriesOf(sink)) {
        expect(steps[0]!.cost).toEqual({ completion_tokens: 4 });
      }
      expect(JSON.stringify(spans.ended.map((span) => span.attributes))).not.toContain("NaN");
    },
  );

  it("attribute limits cut JSON in the middle (langfuse 6517, trigger.dev 3620): what is cut is not called whole", async () => {
    const exporter = new InMemorySpanExporter();
    const provider = new BasicTracerProvider({
      spanProcessors: [new SimpleSpanProcessor(exporter)],
      spanLimits: { attributeValueLengthLimit: 1024 },
    });
    const { ai } = captured(major, { tracerProvider: provider });
    await ai["generateText"]({ ...searchCall(hostOf(major, ai)), prompt: "word ".repeat(400) });
    const steps = exporter.getFinishedSpans().filter(({ name }) => name === "asv.step");
    expect(steps.length).toBe(3);
    for (const { attributes } of steps) {
      expect(attributes["asv.state.carrier"]).not.toBe("inline");
      expect(String(attributes["asv.state.after.sha256"]).length).toBe(64);
      expect(attributes["asv.state.after.length"]).toBeGreaterThan(1024);
    }
  });

  it("after an upgrade the same code records nothing, silently (kodus 1590, traceroot 1966)", async () => {
    const { ai, sink } = captured(major);
    const call = { ...searchCall(hostOf(major, ai)), experimental_telemetry: { isEnabled: true } };
    await ai["generateText"](call);
    expect(trajectoriesOf(sink).map((one) => one.steps.length)).toEqual([3]);
    const problems: string[] = [];
    const deaf = withASVCapture({ generateText: async () => ({ text: "no hook was called" }) } as never, {
      sinks: [memorySink()],
      onError: (error) => problems.push(error.message),
    }) as AI;
    await deaf["generateText"]({ prompt: question });
    expect(problems).toEqual([expect.stringContaining("ended without a step")]);
  });

  it("an abort after a finished step ends the run twice, with stale data (vercel/ai 20908, 15651)", async () => {
    const drive = async (ends: readonly ["onAbort" | "onFinish" | "onEnd" | "onError", unknown][]) => {
      const fake: AI = {
        ...(major.major === 7 && { registerTelemetry: () => undefined }),
        ...(major.major === 6 && { registerTelemetryIntegration: () => undefined }),
        ...(major.major === 5 && { Experimental_Agent: class {}, generateText: () => undefined }),
        streamText: (settings: any) => {
          const hooks = {
            ...settings,
            ...settings.experimental_telemetry?.integrations?.at(-1),
            onAbort: settings.onAbort,
          };
          const messages = [{ role: "user", content: "a" }];
          if (major.major === 5) return { hooks, started: settings.prepareStep({ messages }) };
          hooks.onStepStart({ stepNumber: 0, messages });
          return { hooks };
        },
      };
      const sink = memorySink();
      const spans = new SpanBook();
      const ai = withASVCapture(fake as never, { sinks: [sink], tracerProvider: spans.provider }) as AI;
      const { hooks, started } = ai["streamText"]({ prompt: "a" });
      await started;
      for (const [name, event] of ends) hooks[name]?.(event);
      expect(spans.open.size).toBe(0);
      expect(spans.ended.filter(({ name }) => name === "asv.trajectory").length).toBe(1);
      return trajectoriesOf(sink).map((one) => [one.closed, one.steps.map((step) => step.status)]);
    };
    const finished = major.major === 7 ? "onEnd" : "onFinish";
    expect(
      await drive([
        ["onAbort", {}],
        [finished, { steps: [] }],
      ]),
    ).toEqual([["aborted", ["cancelled"]]]);
    // A run that says that it ended while a step is open has not completed.
    expect(
      await drive([
        [finished, { steps: [] }],
        ["onAbort", {}],
      ]),
    ).toEqual([["error", ["error"]]]);
    expect(
      await drive([
        ["onAbort", {}],
        ["onAbort", {}],
        ["onError", { error: new Error("x") }],
      ]),
    ).toEqual([["aborted", ["cancelled"]]]);
  });

  it("a result that nobody reads keeps a trace open for ever (vercel/ai 1841, 6632)", async () => {
    const { ai, sink, spans } = captured(major, { maxOpenMs: 40 });
    const host = hostOf(major, ai);
    ai["streamText"]({ model: host.model([{ text: "One two three four five." }]), prompt: question });
    await vi.waitFor(() => expect(trajectoriesOf(sink)[0]?.closed).toBe("abandoned"), { timeout: 2000 });
    expect(spans.open.size).toBe(0);
    const [run] = trajectoriesOf(sink);
    expect(run!.steps.map((one) => [one.status, one.fidelity])).toEqual([["cancelled", "abandoned"]]);
    expect((await asvFlush(ai)).dropped).toBe(0);
  });

  it("a reader that leaves before the first step begins keeps a span open: it ends where nobody reads on", async () => {
    const { ai, sink, spans } = captured(major);
    const host = hostOf(major, ai);
    const call = () =>
      ai["streamText"]({ model: host.model([{ text: "One two three." }]), prompt: question });
    const reader = call().fullStream.getReader();
    await Promise.all([reader.read(), reader.cancel()]);
    await vi.waitFor(() => expect(spans.ended.length).toBe(2));
    expect(spans.open.size).toBe(0);
    const [run] = trajectoriesOf(sink);
    expect(run!.closed).toBe("abandoned");
    expect(run!.steps.map((one) => [one.status, one.fidelity, one.late])).toEqual([
      ["cancelled", "abandoned", true],
    ]);

    // Where somebody else reads on, the late step is what it is.
    const result = call();
    const other = result.fullStream.getReader();
    await Promise.all([other.read(), other.cancel(), result.text]);
    expect(trajectoriesOf(sink)[1]!.steps.map((one) => [one.status, one.fidelity])).toEqual([
      ["ok", "step-result"],
    ]);
    expect(spans.open.size).toBe(0);
  });

  it.skipIf(major.major === 5)(
    "other integrations stop hearing of wrapped calls (per-call integrations replace the registered ones)",
    async () => {
      const heard: string[] = [];
      const listener = (name: string) => ({
        onStepFinish: () => void heard.push(name),
        executeTool: ({ execute }: any) => {
          heard.push(`${name} tool`);
          return execute();
        },
      });
      (major.ai["registerTelemetry"] ?? major.ai["registerTelemetryIntegration"])(listener("registered"));
      const run = async (ai: AI) => {
        heard.length = 0;
        await ai["generateText"](searchCall(hostOf(major, ai)));
        const name = major.major === 7 ? "telemetry" : "experimental_telemetry";
        await ai["generateText"]({
          ...searchCall(hostOf(major, ai)),
          [name]: { integrations: listener("own") },
        });
        return [...heard];
      };
      const expected = await run(major.ai);
      expect(expected.length).toBeGreaterThan(5);
      expect(await run(captured(major).ai)).toEqual(expected);
    },
  );

  it("telemetry settings of a call that forbid recording are obeyed, and the call is as it was", async () => {
    for (const name of ["isEnabled", "recordInputs", "recordOutputs"]) {
      const problems: string[] = [];
      const { ai, sink } = captured(major, { onError: (error) => problems.push(error.message) });
      const setting = major.major === 7 ? "telemetry" : "experimental_telemetry";
      const call = (host: Major["ai"]) => ({
        ...searchCall(hostOf(major, host)),
        [setting]: { [name]: false },
      });
      const expected = visible(await resultOf(await major.ai["generateText"](call(major.ai))));
      expect(visible(await resultOf(await ai["generateText"](call(ai))))).toBe(expected);
      await drain(ai["streamText"](call(ai)).textStream);
      const agent = new (agentClass(hostOf(major, ai)))({ ...call(ai), prompt: undefined });
      await agent.generate({ prompt: question });
      expect(sink.records).toEqual([]);
      expect(problems.every((problem) => problem.includes("forbid"))).toBe(true);
      expect(problems.length).toBe(3);
    }
  });

  it.skipIf(major.major === 5)(
    "prepareCall of an agent that replaces telemetry and tools keeps what it chose",
    async () => {
      const { ai, sink } = captured(major);
      const host = hostOf(major, ai);
      const seen: unknown[] = [];
      const Agent = agentClass(host);
      const agent = new Agent({
        model: host.model(searching),
        stopWhen: stopAfter(major, 5),
        prepareCall: (args: any) => {
          seen.push(Object.keys(args).filter((key) => /telemetry|onStep/i.test(key)));
          return {
            ...args,
            tools: searchTools(ai),
            telemetry: { functionId: "chosen" },
            experimental_telemetry: { functionId: "chosen" },
          };
        },
      });
      expect((await agent.generate({ prompt: question })).text).toBe("The lamp is green.");
      expect(seen).toEqual([[]]);
      const [run] = trajectoriesOf(sink);
      expect(run!.steps.length).toBe(3);
      expect(run!.open["metadata"]).toMatchObject({ runnable: "chosen" });
    },
  );

  it("calls inside a tool are part of the step where that is asked for", async () => {
    const { ai, sink } = captured(major, { nested: "step" });
    const host = hostOf(major, ai);
    const inner = host.model([{ text: "Green." }]);
    const tools = {
      ask: ai["tool"]({
        description: "Asks.",
        inputSchema: z.object({}),
        execute: async () => (await ai["generateText"]({ model: inner, prompt: "Which?" })).text,
      }),
    };
    const model = host.model([{ calls: [{ id: "1", tool: "ask", input: {} }] }, { text: "Green." }]);
    await ai["generateText"]({ model, tools, prompt: question, stopWhen: stopAfter(major, 3) });
    expect(trajectoriesOf(sink).map((one) => one.steps.length)).toEqual([2]);
  });

  it("the wrapped run's span hangs on the span that is active where it is called", async () => {
    const disable = useContextManager();
    try {
      const { ai, spans } = captured(major);
      const tracer = spans.provider.getTracer("host");
      await tracer.startActiveSpan("request", async (span) => {
        await ai["generateText"](searchCall(hostOf(major, ai)));
        span.end();
      });
      const root = spans.ended.find(({ name }) => name === "asv.trajectory")!;
      expect(parentOf(root, spans.ended)!.name).toBe("request");
      expect(trace.getActiveSpan()).toBeUndefined();
    } finally {
      disable();
    }
  });
});
