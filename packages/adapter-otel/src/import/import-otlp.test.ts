import { encodeTrajectory, readTrajectories } from "@agent-step-value/sdk";
import { createRecorder, memorySink, spanSink } from "@agent-step-value/sdk/capture";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-base";
import fc from "fast-check";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { framings } from "../framing/framings.test-support.ts";
import {
  capturedSpans,
  changed,
  isStep,
  jsonLine,
  protoMessage,
  recorderWithSpans,
} from "./asv-spans.test-support.ts";
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
    const { tracerProvider, spans: recorded } = recorderWithSpans();
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
    const { lines: given } = await imported(jsonLine(recorded()));
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

  it("reads a set that was rotated between a line and its line feed, as the Collector's file exporter does", async () => {
    const [one, two] = batches(spans).map(jsonLine) as [Buffer, Buffer];
    const { lines, report } = await imported([one.subarray(0, -1), Buffer.concat([Buffer.from("\n"), two])]);
    expect(report).toMatchObject({ outcome: "complete", problems: [] });
    expect(lines).toEqual((await imported(jsonLine(spans))).lines);
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

  it("orders steps by their own counter where they were committed in another order", async () => {
    const reversed = spans.map((span) => {
      const index = span.attributes["asv.step.index"];
      return typeof index === "number" ? changed(span, { "asv.step.commit_index": 2 - index }) : span;
    });
    const { trajectories } = await imported(jsonLine(reversed));
    for (const { steps } of trajectories) {
      expect(steps.map(({ index, extra }) => [index, extra!["commit_index"]])).toEqual([
        [0, 2],
        [1, 1],
        [2, 0],
      ]);
    }
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
