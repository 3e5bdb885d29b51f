import { context, ROOT_CONTEXT, SpanStatusCode, trace, type Context } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AlwaysOffSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
  type SpanProcessor,
  type TracerConfig,
} from "@opentelemetry/sdk-trace-base";
import { afterEach, describe, expect, it, vi } from "vitest";
import { memorySink } from "./memory-sink.ts";
import { createRecorder, type Recorder } from "./recorder.ts";
import type { RecorderOptions } from "./recorder-options.ts";
import { INLINE_LIMIT } from "./span-attributes.ts";
import { spanSink } from "./span-sink.ts";

interface Rig {
  recorder: Recorder;
  provider: BasicTracerProvider;
  errors: Error[];
  spans: (name?: string) => ReadableSpan[];
}

function rig(options: RecorderOptions = {}, config: TracerConfig = {}): Rig {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
    ...config,
  });
  const errors: Error[] = [];
  const recorder = createRecorder({
    file: false,
    tracerProvider: provider,
    onError: (error) => errors.push(error),
    ...options,
  });
  const spans = (name?: string) =>
    exporter.getFinishedSpans().filter((span) => name === undefined || span.name === name);
  return { recorder, provider, errors, spans };
}

function twoSteps(recorder: Recorder, parentContext?: Context): void {
  const run = recorder.trajectory({
    id: "t",
    task: { id: "q", question: "which?" },
    ...(parentContext && { parentContext }),
  });
  run
    .step({ action: { type: "search" }, before: { n: 0 }, kind: "tool" })
    .end({ after: { n: 1 }, fidelity: "next-input" });
  run.step({ action: { type: "answer" } }).end({ after: { n: 2 } });
  run.close({ status: "complete" });
}

afterEach(() => {
  trace.disable();
  context.disable();
});

describe("spanSink", () => {
  it("writes one trajectory span and a child a step, with the asv.* attributes", () => {
    const { recorder, spans } = rig();
    twoSteps(recorder);
    const [root] = spans("asv.trajectory");
    const [search, answer] = spans("asv.step");
    expect(root!.instrumentationScope).toMatchObject({ name: "@agent-step-value/sdk", version: "0.1.0" });
    expect(root!.attributes).toEqual({
      "asv.schema.version": 1,
      "asv.trajectory.id": "t",
      "asv.task.id": "q",
      "asv.task.question": "which?",
      "asv.redaction.policy": "default/phi-2",
      "asv.redaction.count": 0,
      "asv.trajectory.status": "complete",
      "asv.trajectory.step_count": 2,
    });
    const before = '{"blocks":[{"kind":"other","name":"n","text":"0"}]}';
    const after = before.replace("0", "1");
    expect(search!.attributes).toMatchObject({
      "asv.trajectory.id": "t",
      "asv.step.index": 0,
      "asv.step.commit_index": 0,
      "asv.step.concurrent": false,
      "asv.step.action": "search",
      "asv.step.kind": "tool",
      "asv.step.status": "ok",
      "asv.state.fidelity": "next-input",
      "asv.state.before": before,
      "asv.state.before.length": before.length,
      "asv.state.after": after,
      "asv.state.after.length": after.length,
      "asv.state.carrier": "inline",
    });
    expect(answer!.attributes["asv.state.before.sha256"]).toBe(search!.attributes["asv.state.after.sha256"]);
    for (const step of [search!, answer!]) {
      expect(step.parentSpanContext?.spanId).toBe(root!.spanContext().spanId);
      expect(step.status.code).toBe(SpanStatusCode.UNSET);
      expect(Object.keys(step.attributes).length).toBeLessThanOrEqual(20);
    }
  });

  it("keeps state texts and the question off the spans in digest mode", () => {
    const { recorder, spans } = rig({ states: "digest" });
    twoSteps(recorder);
    const names = spans().flatMap((span) => Object.keys(span.attributes));
    expect(names).not.toContain("asv.state.before");
    expect(names).not.toContain("asv.state.after");
    expect(names).not.toContain("asv.task.question");
    expect(spans("asv.step")[0]!.attributes).toMatchObject({ "asv.state.carrier": "none" });
    expect(spans("asv.step")[0]!.attributes["asv.state.after.sha256"]).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each([
    [INLINE_LIMIT - 50, "inline"],
    [INLINE_LIMIT + 1, "local"],
  ])("a state of %i characters: carrier %s", (length, carrier) => {
    const { recorder, spans } = rig({ sinks: [memorySink()] });
    recorder
      .trajectory()
      .step({ action: { type: "a" }, before: { n: 0 } })
      .end({ after: { blocks: [{ kind: "other", text: "x".repeat(length) }] } });
    const { attributes } = spans("asv.step")[0]!;
    expect(attributes["asv.state.carrier"]).toBe(carrier);
    expect("asv.state.after" in attributes).toBe(carrier === "inline");
    expect(attributes["asv.state.after.length"]).toBeGreaterThan(length);
  });

  it("does not call a state inline that the provider cut", () => {
    const { recorder, spans } = rig({}, { spanLimits: { attributeValueLengthLimit: 64 } });
    recorder
      .trajectory()
      .step({ action: { type: "a" }, before: { text: "x".repeat(100) } })
      .end({ after: { n: 1 } });
    const { attributes } = spans("asv.step")[0]!;
    expect(attributes).toMatchObject({ "asv.state.carrier": "none" });
    expect(String(attributes["asv.state.before"]).length).toBeLessThan(
      Number(attributes["asv.state.before.length"]),
    );
  });

  it("marks errors with a redacted message and interrupts not at all; never with an event", () => {
    const { recorder, spans } = rig();
    const run = recorder.trajectory();
    run
      .step({ action: { type: "a" }, before: {} })
      .end({ error: new Error("login password=hunter2hunter2 failed") });
    run.step({ action: { type: "b" }, before: {} }).end({ status: "interrupted" });
    run.close({ status: "error" });
    const [failed, interrupted] = spans("asv.step");
    expect(failed!.status).toEqual({
      code: SpanStatusCode.ERROR,
      message: "Error: login password=[SECRET:assignment:1] failed",
    });
    expect(interrupted!.status.code).toBe(SpanStatusCode.UNSET);
    expect(interrupted!.attributes["asv.step.status"]).toBe("interrupted");
    expect(spans("asv.trajectory")[0]!.status.code).toBe(SpanStatusCode.ERROR);
    expect(spans().flatMap(({ events }) => events)).toEqual([]);
  });

  it("hangs a trajectory under the context active at its opening, or the given one, and makes no span active", () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    const { recorder, provider, spans } = rig();
    const host = provider.getTracer("host").startSpan("host");
    const within = trace.setSpan(ROOT_CONTEXT, host);
    context.with(within, () => {
      const run = recorder.trajectory();
      expect(trace.getActiveSpan()).toBe(host);
      run.step({ action: { type: "a" }, before: {} }).end();
      expect(trace.getActiveSpan()).toBe(host);
      run.close();
    });
    twoSteps(recorder, within);
    for (const root of spans("asv.trajectory")) {
      expect(root.parentSpanContext?.spanId).toBe(host.spanContext().spanId);
    }
  });

  it("offers a context for nested work and links a sub-agent's trajectory to its parent", () => {
    const { recorder, spans } = rig();
    const parent = recorder.trajectory({ id: "parent" });
    const step = parent.step({ action: { type: "delegate" }, before: {} });
    const child = recorder.trajectory({ parentTrajectoryId: "parent", parentContext: step.context! });
    child.close();
    step.end();
    parent.close();
    const [sub, root] = spans("asv.trajectory");
    expect(sub!.parentSpanContext?.spanId).toBe(spans("asv.step")[0]!.spanContext().spanId);
    expect(sub!.attributes["asv.trajectory.parent_id"]).toBe("parent");
    expect(sub!.links.map((link) => link.context.spanId)).toEqual([root!.spanContext().spanId]);
  });

  it("ends the span of an interrupted run and opens another when it goes on", () => {
    const { recorder, spans } = rig();
    recorder.trajectory({ id: "t" }).close({ status: "interrupted" });
    twoSteps(recorder);
    expect(spans("asv.trajectory").map(({ attributes }) => attributes["asv.trajectory.status"])).toEqual([
      "interrupted",
      "complete",
    ]);
  });

  it("orders by its own counter and has no negative duration when the clock is set back", () => {
    const { recorder, spans } = rig();
    const run = recorder.trajectory();
    const now = vi.spyOn(Date, "now");
    try {
      for (let i = 0; i < 20; i++) {
        const step = run.step({ action: { type: "a" }, before: { i } });
        now.mockReturnValue(1_000_000_000_000 - i * 60_000);
        step.end({ after: { i: i + 1 } });
      }
      run.close();
    } finally {
      now.mockRestore();
    }
    const steps = spans("asv.step");
    expect(steps.map(({ attributes }) => attributes["asv.step.index"])).toEqual(steps.map((_, i) => i));
    for (const { startTime, endTime } of spans()) {
      expect(endTime[0] * 1e9 + endTime[1]).toBeGreaterThanOrEqual(startTime[0] * 1e9 + startTime[1]);
      expect(startTime[0]).toBeGreaterThan(1_700_000_000);
    }
  });

  it("takes the caller's times in milliseconds", () => {
    const { recorder, spans } = rig();
    const step = recorder
      .trajectory()
      .step({ action: { type: "a" }, before: {}, startTime: 1_800_000_000_250 });
    step.end({ endTime: new Date(1_800_000_001_500) });
    const [span] = spans("asv.step");
    expect(span!.startTime).toEqual([1_800_000_000, 250_000_000]);
    expect(span!.endTime).toEqual([1_800_000_001, 500_000_000]);
  });
});

describe("a provider that does not record", () => {
  it("unsampled: nothing is reported, and the report says it", async () => {
    const { recorder, errors, spans } = rig({}, { sampler: new AlwaysOffSampler() });
    twoSteps(recorder);
    expect(spans()).toEqual([]);
    expect(errors).toEqual([]);
    expect(await recorder.flush()).toMatchObject({ otel: "unsampled", written: 0, dropped: 0 });
  });

  it("unsampled: the file has everything", async () => {
    const file = memorySink();
    const { recorder } = rig({ sinks: [file] }, { sampler: new AlwaysOffSampler() });
    twoSteps(recorder);
    expect(file.records).toHaveLength(4);
    expect(await recorder.flush()).toMatchObject({ written: 2 });
  });

  it("absent: says so once, where spans were asked for, and uses one that is registered later", async () => {
    const errors: Error[] = [];
    const recorder = createRecorder({
      sinks: [memorySink(), spanSink()],
      onError: (error) => errors.push(error),
    });
    twoSteps(recorder);
    twoSteps(recorder);
    expect(errors).toMatchObject([{ problem: "otel_inactive" }]);
    expect(await recorder.flush()).toMatchObject({ otel: "inactive", written: 4 });
    const exporter = new InMemorySpanExporter();
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
    );
    twoSteps(recorder);
    expect(exporter.getFinishedSpans()).toHaveLength(3);
    expect(await recorder.flush()).toMatchObject({ otel: "active" });
  });

  it("absent, under a parent that came from elsewhere: the parent's span is not taken for its own", async () => {
    const parent = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331", traceFlags: 1 };
    const sink = memorySink();
    const recorder = createRecorder({ sinks: [sink, spanSink({ quiet: true })] });
    twoSteps(recorder, trace.setSpanContext(ROOT_CONTEXT, parent));
    expect(await recorder.flush()).toMatchObject({ otel: "inactive", written: 2 });
  });

  it("held by another copy of the API: says so once even where a file is written", async () => {
    const key = Symbol.for("opentelemetry.js.api.1");
    const registry = globalThis as Record<symbol, unknown>;
    const held = registry[key];
    // A copy older than ours registered it: ours must not use what it does not know.
    registry[key] = { version: "1.0.0", trace: new BasicTracerProvider() };
    try {
      const errors: Error[] = [];
      const sink = memorySink();
      const recorder = createRecorder({
        sinks: [sink, spanSink({ quiet: true })],
        onError: (error) => errors.push(error),
      });
      twoSteps(recorder);
      twoSteps(recorder);
      expect(errors).toMatchObject([{ problem: "otel_inactive" }]);
      expect(errors[0]!.message).toContain("another copy");
      expect(sink.records).toHaveLength(8);
    } finally {
      registry[key] = held;
    }
  });

  it("nothing at all: one warning, and no state is read", async () => {
    const errors: Error[] = [];
    const project = vi.fn();
    const recorder = createRecorder({ file: false, project, onError: (error) => errors.push(error) });
    twoSteps(recorder);
    twoSteps(recorder);
    expect(errors).toMatchObject([{ problem: "no_sink" }]);
    expect(project).not.toHaveBeenCalled();
  });
});

describe("a span processor that throws", () => {
  const boom = (): never => {
    throw new Error("processor");
  };
  const processor = (broken: Partial<SpanProcessor>): SpanProcessor => ({
    onStart: () => undefined,
    onEnd: () => undefined,
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
    ...broken,
  });

  it.each([
    ["in onStart", processor({ onStart: boom })],
    ["in onEnd", processor({ onEnd: boom })],
  ])("%s: the file has every step", async (_, broken) => {
    const file = memorySink();
    const { recorder, errors } = rig({ sinks: [file] }, { spanProcessors: [broken] });
    twoSteps(recorder);
    expect(file.records).toHaveLength(4);
    expect(errors.length).toBeGreaterThan(0);
    await expect(recorder.shutdown()).resolves.toBeDefined();
  });
});
