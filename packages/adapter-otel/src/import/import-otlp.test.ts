import { encodeTrajectory, readTrajectories } from "@agent-step-value/sdk";
import { createRecorder, memorySink, spanSink } from "@agent-step-value/sdk/capture";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from "@opentelemetry/sdk-trace-base";
import fc from "fast-check";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { framings } from "../framing/framings.test-support.ts";
import { capturedSpans, jsonLine, jsonLogLine, logRecords, protoMessage } from "./asv-spans.test-support.ts";
import { digestsOf, imported } from "./importing.test-support.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "asv-import-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Two batches, cut in the middle of a run. */
function batches(spans: readonly ReadableSpan[]): ReadableSpan[][] {
  return [spans.slice(0, 5), spans.slice(5)];
}

/** A span with other attributes, as a backend or a limit leaves it. */
function changed(span: ReadableSpan, attributes: Record<string, unknown>): ReadableSpan {
  const merged = Object.fromEntries(
    Object.entries({ ...span.attributes, ...attributes }).filter(([, value]) => value !== undefined),
  );
  return Object.assign(Object.create(span) as ReadableSpan, { attributes: merged });
}

const isStep = (index: number) => (span: ReadableSpan) => span.attributes["asv.step.index"] === index;

describe("importOtlp of the toolkit's own spans", () => {
  const spans = capturedSpans(3);
  const files = framings(batches(spans).map(jsonLine), batches(spans).map(protoMessage));

  it.each(Object.entries(files))("gives equal trajectories from %s", async (framing, file) => {
    const { trajectories, lines, report } = await imported(file);
    expect(report.files).toMatchObject([{ framing, bytes: file.length, messages: 2, spans: 12 }]);
    expect(report).toMatchObject({
      outcome: "complete",
      trajectories: 3,
      steps: 9,
      fidelity: { recorded: 3 },
      spans: { read: 12, native: 12 },
      states: { inline: 18, missing: 0 },
    });
    expect(lines).toEqual((await imported(jsonLine(spans))).lines);
    for (const [n, trajectory] of trajectories.entries()) {
      expect(trajectory).toMatchObject({
        trajectoryId: `run-${n}`,
        status: n % 2 === 0 ? "complete" : "error",
        task: { taskId: `task-${n}`, question: `What is ${n}?` },
        redaction: { policy: "default" },
      });
      const digests = digestsOf(trajectory);
      expect(digests.flat()).not.toContain(undefined);
      // After-state i is before-state i + 1, the same object.
      expect(trajectory.steps[1]!.stateBefore).toBe(trajectory.steps[0]!.stateAfter);
      expect(digests[2]![0]).toBe(digests[1]![1]);
    }
  });

  it("gives what the capture's own records give, as far as spans carry it", async () => {
    const exporter = new InMemorySpanExporter();
    const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    const memory = memorySink();
    const sinks = [memory, spanSink({ tracerProvider })];
    const recorder = createRecorder({ file: false, sinks });
    const run = recorder.trajectory({ id: "r", task: { id: "t", question: "which?" } });
    run
      .step({ action: { type: "search" }, kind: "tool", before: { n: 0 } })
      .end({ after: { n: 1 }, fidelity: "exact" });
    // The actor changed something in between.
    run.step({ action: { type: "think" }, before: { n: 5 } }).end({ after: { n: 6 }, attempts: 2 });
    run.step({ action: { type: "fail" } }).end({ error: new RangeError("no such lamp") });
    run.close({ status: "error" });
    const captured: unknown[] = [];
    const lines = memory.records.map((record) => Buffer.from(`${JSON.stringify(record)}\n`));
    for await (const t of readTrajectories(streamOf(lines))) captured.push(encodeTrajectory(t));
    const [own] = captured as { steps: Record<string, unknown>[] }[];
    const { lines: given } = await imported(jsonLine(exporter.getFinishedSpans()));
    const fromSpans = JSON.parse(given[0]!) as { steps: Record<string, unknown>[] };
    for (const [i, step] of fromSpans.steps.entries()) {
      // The place of the span is known here alone, and its clock has whole nanoseconds.
      const { trace_id: _, span_id: __, cost: ___, ...rest } = step;
      const { cost: ____, ...wanted } = own!.steps[i]!;
      expect(rest).toEqual(wanted);
    }
    expect(fromSpans.steps[1]).toMatchObject({ discontinuity: true, attempts: 2 });
  });

  it("is the same whatever the order of files, batches and spans, and with everything twice", async () => {
    const { lines: wanted } = await imported(jsonLine(spans));
    const all = Array.from({ length: 24 }, (_, i) => i);
    const shuffled = fc.shuffledSubarray(all, { minLength: 24, maxLength: 24 });
    await fc.assert(
      fc.asyncProperty(shuffled, fc.nat(23), fc.boolean(), async (places, cut, proto) => {
        const order = places.map((place) => spans[place % 12]!);
        const [one, two] = [order.slice(0, cut), order.slice(cut)];
        const sources = [one, two].filter((part) => part.length > 0).map(proto ? protoMessage : jsonLine);
        const { lines, report } = await imported(sources);
        expect(lines).toEqual(wanted);
        expect(report).toMatchObject({ outcome: "complete", duplicates: { folded: 12, conflicts: 0 } });
      }),
      { numRuns: 20 },
    );
  });

  it("gives the same trajectories through its temporary file", async () => {
    const { lines: wanted } = await imported(jsonLine(spans));
    const { lines, report } = await imported(jsonLine(spans), { memoryLimit: 1000, tempDirectory: folder });
    expect(report.spilledBytes).toBeGreaterThan(10_000);
    expect([...lines].sort()).toEqual([...wanted].sort());
  });

  it("reads a rotated set in a directory, and a file by a name that says something else", async () => {
    const set = join(folder, "rotated");
    mkdirSync(set);
    writeFileSync(join(set, "traces-2026-01-01T00-00-00.jsonl"), jsonLine(spans.slice(0, 4)));
    writeFileSync(join(set, "traces.jsonl"), files["length-prefixed+zstd+proto"]!);
    writeFileSync(join(set, "notes.pb"), jsonLine(spans.slice(4)));
    const { lines, report } = await imported(set);
    expect(lines).toEqual((await imported(jsonLine(spans))).lines);
    expect(report.files.map(({ framing }) => framing)).toEqual([
      "json-lines",
      "json-lines",
      "length-prefixed+zstd+proto",
    ]);
    expect(report.duplicates).toEqual({ folded: 12, conflicts: 0 });
  });

  it("orders steps by their own counter, never by the clock", async () => {
    const late = spans.map((span) =>
      isStep(0)(span)
        ? Object.assign(Object.create(span) as ReadableSpan, { startTime: [2_000_000_000, 0] })
        : span,
    );
    const { trajectories } = await imported(jsonLine(late));
    for (const { steps } of trajectories) expect(steps.map(({ index }) => index)).toEqual([0, 1, 2]);
  });
});

describe("states that do not arrive whole", () => {
  it("finds cut values by their declared length, keeps the step and the other states", async () => {
    const spans = capturedSpans(1, { spanLimits: { attributeValueLengthLimit: 100 } });
    const { trajectories, report } = await imported(jsonLine(spans));
    expect(report.outcome).toBe("partial");
    expect(report.states).toMatchObject({ inline: 0, cut: 6, damaged: 0, missing: 0 });
    const [step] = trajectories[0]!.steps;
    expect(step).not.toHaveProperty("stateBefore");
    expect(step!.extra).toMatchObject({
      damaged: ["state_before", "state_after"],
      declared: {
        state_after: { found_length: 100, length: expect.any(Number), sha256: expect.any(String) },
      },
    });
  });

  it("takes a cut state from another span that has it whole", async () => {
    const spans = capturedSpans(1).map((span) =>
      isStep(1)(span) ? changed(span, { "asv.state.before": '{"blocks":[{"ki' }) : span,
    );
    const { trajectories, report } = await imported(jsonLine(spans));
    expect(report).toMatchObject({ outcome: "complete", states: { inline: 6, cut: 0 } });
    expect(trajectories[0]!.steps[1]!.stateBefore).toBe(trajectories[0]!.steps[0]!.stateAfter);
  });

  it.each([
    ["another text of the same length", (text: string) => text.replace("note 0", "nope 0")],
    ["no JSON", (text: string) => "x".repeat(text.length)],
    ["no object", (text: string) => JSON.stringify("y".repeat(text.length - 2))],
    ["too deep", (text: string) => `{"a":${"[".repeat(5000)}${"]".repeat(5000)}}`.padEnd(text.length)],
    ["a number beyond all numbers", (text: string) => `{"a":1e999}`.padEnd(text.length)],
  ])("finds a state that was changed: %s", async (_name, change) => {
    const spans = capturedSpans(1).map((span) =>
      isStep(2)(span)
        ? changed(span, { "asv.state.after": change(String(span.attributes["asv.state.after"])) })
        : span,
    );
    const { trajectories, report } = await imported(jsonLine(spans));
    expect(report).toMatchObject({ outcome: "partial", states: { damaged: 1, inline: 5 } });
    expect(trajectories[0]!.steps[2]).not.toHaveProperty("stateAfter");
    expect(trajectories[0]!.steps[2]!.extra).toMatchObject({ damaged: ["state_after"] });
  });

  it("knows a state again that a backend wrote with other white space", async () => {
    const spaced = (text: unknown): string => JSON.stringify(JSON.parse(String(text)), null, 1);
    const spans = capturedSpans(1).map((span) =>
      isStep(0)(span)
        ? changed(span, { "asv.state.before": spaced(span.attributes["asv.state.before"]) })
        : span,
    );
    const { lines, report } = await imported(jsonLine(spans));
    expect(report.outcome).toBe("complete");
    expect(lines).toHaveLength(1);
  });

  it("joins digests with log records, over all files, whole or structured", async () => {
    const spans = capturedSpans(2);
    const texts = new Map<string, string>();
    const bare = spans.map((span) => {
      for (const side of ["before", "after"]) {
        const digest = span.attributes[`asv.state.${side}.sha256`];
        if (typeof digest === "string") texts.set(digest, String(span.attributes[`asv.state.${side}`]));
      }
      const none = { "asv.state.before": undefined, "asv.state.after": undefined };
      return changed(span, { ...none, ...(span.name === "asv.step" && { "asv.state.carrier": "log" }) });
    });
    const logs = logRecords(
      [...texts].map(([digest, text], i) => ({
        eventName: "asv.state",
        body: i % 2 === 0 ? text : (JSON.parse(text) as { blocks: [] }),
        attributes: { "asv.state.sha256": digest, "asv.state.length": text.length },
      })),
    );
    const { trajectories, report } = await imported([jsonLine(bare), jsonLogLine(logs), jsonLogLine(logs)]);
    expect(report).toMatchObject({
      outcome: "complete",
      states: { log: 12 },
      logs: { states: 2 * texts.size },
    });
    const whole = await imported(jsonLine(spans));
    expect(trajectories.map(digestsOf)).toEqual(whole.trajectories.map(digestsOf));

    // A record whose body is not what it declares is told, and its state is missing.
    const [first, ...rest] = logs;
    const forged = logRecords([
      {
        eventName: "asv.state",
        body: '{"blocks":[]}',
        attributes: first!.attributes as Record<string, string>,
      },
    ]);
    const lost = await imported([jsonLine(bare), jsonLogLine([...forged, ...rest])]);
    expect(lost.report).toMatchObject({
      outcome: "partial",
      states: { missing: 1 },
      logs: { damagedStates: 1 },
    });
  });

  it("joins digests with the capture's own files", async () => {
    const file = join(folder, "capture.jsonl");
    rmSync(file, { force: true });
    const exporter = new InMemorySpanExporter();
    const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    const { jsonlSink } = await import("@agent-step-value/sdk/capture");
    const sinks = [jsonlSink(file), spanSink({ tracerProvider, states: "digest" })];
    const recorder = createRecorder({ file: false, sinks });
    const run = recorder.trajectory({ id: "r" });
    run.step({ action: { type: "a" }, before: { n: 0 } }).end({ after: { n: 1 } });
    run.close({ status: "complete" });
    const spans = jsonLine(exporter.getFinishedSpans());
    const alone = await imported(spans);
    expect(alone.report).toMatchObject({ outcome: "partial", states: { missing: 2 } });
    expect(alone.trajectories[0]!.steps[0]!.extra).toMatchObject({ carrier: "local" });
    const joined = await imported(spans, { states: file });
    expect(joined.report).toMatchObject({ outcome: "complete", states: { local: 2, missing: 0 } });
    await expect(imported(spans, { states: join(folder, "none") })).rejects.toMatchObject({
      code: "unreadable_source",
    });
  });
});

describe("spans that do not arrive", () => {
  it("keeps the steps of a trajectory whose own span is missing, as partial", async () => {
    const spans = capturedSpans(1).filter(({ name }) => name === "asv.step");
    const { trajectories, report } = await imported(jsonLine(spans));
    expect(trajectories).toMatchObject([{ trajectoryId: "run-0", status: "partial", steps: [{}, {}, {}] }]);
    expect(report).toMatchObject({ outcome: "partial", native: { withoutSpan: 1 } });
  });

  it("counts missing steps, and calls no gap a change by the actor", async () => {
    const spans = capturedSpans(1).filter((span) => !isStep(1)(span));
    const { trajectories, report } = await imported(jsonLine(spans));
    expect(trajectories[0]).toMatchObject({
      status: "partial",
      extra: { missing_steps: 1, declared_status: "complete", step_count: 3 },
    });
    expect(trajectories[0]!.steps.map(({ index, discontinuity }) => [index, discontinuity])).toEqual([
      [0, undefined],
      [2, undefined],
    ]);
    expect(report).toMatchObject({ outcome: "partial", native: { incomplete: 1, missingSteps: 1 } });
  });

  it("keeps of conflicting copies the one that ended later, and counts them", async () => {
    const spans = capturedSpans(1);
    const step = spans.find(isStep(0))!;
    const later = Object.assign(changed(step, { "asv.step.action": "other" }), {
      endTime: [2_000_000_000, 0],
    });
    for (const order of [
      [...spans, later],
      [later, ...spans],
    ]) {
      const { trajectories, report } = await imported(jsonLine(order));
      expect(trajectories[0]!.steps[0]!.action).toEqual({ type: "other" });
      expect(report).toMatchObject({ outcome: "partial", duplicates: { folded: 0, conflicts: 1 } });
    }
  });

  it("refuses a trajectory of a later version of the set, by name", async () => {
    const spans = capturedSpans(2).map((span) =>
      span.name === "asv.trajectory" && span.attributes["asv.trajectory.id"] === "run-0"
        ? changed(span, { "asv.schema.version": 2 })
        : span,
    );
    const { trajectories, report } = await imported(jsonLine(spans));
    expect(trajectories.map(({ trajectoryId }) => trajectoryId)).toEqual(["run-1"]);
    expect(report).toMatchObject({ outcome: "partial", native: { unknownVersion: 1 } });
    expect(report.warningCounts).toEqual({ unknown_version: 1 });
  });

  it("says that there is nothing to import", async () => {
    for (const source of [
      Buffer.alloc(0),
      Buffer.from("\n \n"),
      Buffer.from('{"resourceMetrics":[{}]}\n'),
      Buffer.from("x"),
    ]) {
      const { report } = await imported(source);
      expect(report).toMatchObject({ outcome: "unusable", trajectories: 0 });
    }
  });
});

describe("what must never be read", () => {
  it("takes no gold, score or verdict from a span's attributes or log records", async () => {
    const planted = {
      "asv.task.gold_candidate_id": "canary-gold",
      "asv.gold.id": "canary-gold",
      "asv.score.margin": 4,
      "gen_ai.evaluation.name": "canary-gold",
      "asv.trajectory.success": true,
    };
    const spans = capturedSpans(1).map((span) => changed(span, planted));
    const logs = logRecords([
      {
        eventName: "gen_ai.evaluation.result",
        body: "canary-gold",
        attributes: { "gen_ai.evaluation.name": "canary-gold" },
      },
    ]);
    const { lines, report } = await imported([jsonLine(spans), jsonLogLine(logs)]);
    expect(report).toMatchObject({ outcome: "complete", logs: { refused: 1 } });
    expect(lines.join()).not.toContain("canary-gold");
    expect(JSON.stringify(report)).not.toContain("canary-gold");
  });

  it("projects the states and details of a writer that is not the toolkit", async () => {
    const secret = `sk-proj-${"aB3dE5fG7hJ9kL1m".repeat(3)}`;
    const state = { note: `the key is ${secret}`, gold_answer: "canary-gold" };
    const text = JSON.stringify(state);
    const provider = new BasicTracerProvider({ spanProcessors: [] });
    const exporter = new InMemorySpanExporter();
    const own = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    const tracer = own.getTracer("somebody");
    tracer
      .startSpan("asv.step", {
        attributes: {
          "asv.trajectory.id": "r",
          "asv.step.id": "s",
          "asv.step.action": `call ${secret}`,
          "asv.state.after": text,
          "asv.state.after.length": text.length,
          "asv.step.detail": JSON.stringify({ action: { type: "t" }, extra: { gold_answer: "canary-gold" } }),
        },
      })
      .end();
    await provider.shutdown();
    const { lines, trajectories, report } = await imported(jsonLine(exporter.getFinishedSpans()));
    expect(trajectories[0]!.steps[0]!.stateAfter).toBeDefined();
    expect(report.states.unverified).toBe(1);
    expect(report.warningCounts).toMatchObject({ redacted: 1 });
    for (const hidden of [secret, "canary-gold"]) expect(lines.join()).not.toContain(hidden);
  });
});

describe("files that a real Collector wrote", () => {
  const fixture = (name: string): string =>
    fileURLToPath(new URL(`../../fixtures/collector/${name}`, import.meta.url));
  const sets = {
    "json lines": ["exported/traces.jsonl", "exported/logs.jsonl"],
    protobuf: ["exported/traces.pb", "exported/logs.pb"],
    "json in zstd frames": ["exported/traces.jsonl.zst", "exported/logs.jsonl.zst"],
    "protobuf in zstd frames": ["exported/traces.pb.zst", "exported/logs.pb.zst"],
  };

  it.each(Object.entries(sets))("gives the stored trajectories again from %s", async (_name, files) => {
    const stored: unknown[] = [];
    for await (const t of readTrajectories(fixture("runs.asv.jsonl"))) stored.push(encodeTrajectory(t));
    const { lines, report } = await imported(files.map(fixture));
    expect(report.outcome).toBe("complete");
    const byId = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
    expect(lines.map((line) => JSON.parse(line) as unknown).sort(byId)).toEqual(
      (JSON.parse(JSON.stringify(stored)) as unknown[]).sort(byId),
    );
  });

  it("reads zstd streams of whole files, and folds the same spans of both", async () => {
    const { report } = await imported(fixture("native"));
    expect(report).toMatchObject({
      outcome: "complete",
      trajectories: 2,
      duplicates: { folded: 8, conflicts: 0 },
    });
    expect(report.files.map(({ framing }) => framing)).toEqual([
      "zstd+empty",
      "zstd+empty",
      "zstd+json-lines",
      "zstd+length-prefixed+proto",
    ]);
  });
});

async function* streamOf(lines: readonly Buffer[]): AsyncGenerator<Uint8Array> {
  for (const line of lines) {
    yield line;
    await Promise.resolve();
  }
}
