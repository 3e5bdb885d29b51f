import { decodeTrajectory, encodeTrajectory, stateSha256 } from "@agent-step-value/sdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import zlib from "node:zlib";
import { framings } from "../framing/framings.test-support.ts";
import { capturedSpans, jsonLine, protoMessage } from "./asv-spans.test-support.ts";
import { digestsOf, imported, type Imported } from "./importing.test-support.ts";

/** `ASV_FUZZ_RUNS=20000 npx vitest run hostile-input` looks longer. */
const RUNS = Number(process.env["ASV_FUZZ_RUNS"] ?? 150);
const TIMEOUT = 30_000 + RUNS * 200;

/** One run of one step with small states, in two messages: few bytes to cut at. */
const spans = capturedSpans(1).filter(
  ({ name, attributes }) => name === "asv.trajectory" || attributes["asv.step.index"] === 0,
);
const files = framings(
  spans.map((span) => jsonLine([span])),
  spans.map((span) => protoMessage([span])),
);
const whole = await imported(files["json-lines"]!);
const digests = new Set(whole.trajectories.flatMap(digestsOf).flat());

/** What holds of every import, whatever came in. */
function expectSound({ trajectories, report }: Imported, length: number): void {
  for (const trajectory of trajectories) {
    const place = { source: "again", line: 1 };
    expect(encodeTrajectory(decodeTrajectory(encodeTrajectory(trajectory), place))).toEqual(
      encodeTrajectory(trajectory),
    );
    for (const { stateBefore, stateAfter } of trajectory.steps) {
      for (const state of [stateBefore, stateAfter]) {
        // No damaged state passes for a whole one.
        if (state !== undefined && report.states.unverified === 0)
          expect(digests).toContain(stateSha256(state));
      }
    }
  }
  for (const { offset, within, bytes = 0 } of report.problems) {
    expect(offset).toBeGreaterThanOrEqual(0);
    if (within === "file") expect(offset + bytes).toBeLessThanOrEqual(length);
  }
  const { spans: counts } = report;
  expect(counts.native + counts.broken + counts.foreign + counts.plumbing).toBe(counts.read);
  expect(report.outcome === "unusable").toBe(trajectories.length === 0);
}

describe("a file that is cut", () => {
  it.each(Object.entries(files))(
    "at any byte: %s",
    async (_framing, file) => {
      // Every byte when it may take long; the framings themselves are cut at every byte in their own test.
      const stride = RUNS > 1000 ? 1 : Math.ceil(file.length / 250);
      for (let end = 0; end < file.length; end += stride) {
        const found = await imported(file.subarray(0, end));
        expectSound(found, end);
        const { outcome, problems } = found.report;
        if (outcome === "complete") expect([file.length - 1, file.length]).toContain(end);
        else if (problems.length > 0) expect(problems.at(-1)!.code).toBe("torn");
      }
    },
    TIMEOUT,
  );
});

describe("bytes that nobody meant", () => {
  const starts = [
    [],
    [0x28, 0xb5, 0x2f, 0xfd],
    [0x1f, 0x8b, 8],
    [0, 0, 0, 20, 0x0a],
    [0x0a, 0x10, 0x0a],
    [0x7b],
    [0x5b, 0x7b],
    [0, 0, 0, 30, 0x28, 0xb5, 0x2f, 0xfd],
  ];

  it(
    "of any kind end in a report",
    async () => {
      const bytes = fc.tuple(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 300 }));
      await fc.assert(
        fc.asyncProperty(bytes, async ([start, rest]) => {
          const source = Buffer.from([...start, ...rest]);
          expectSound(await imported(source), source.length);
        }),
        { numRuns: RUNS },
      );
    },
    TIMEOUT,
  );

  it(
    "in place of those that were there",
    async () => {
      const changes = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(255)), {
        minLength: 1,
        maxLength: 8,
      });
      const framing = fc.constantFrom(...Object.keys(files));
      await fc.assert(
        fc.asyncProperty(framing, changes, fc.nat(3), async (name, replaced, moved) => {
          const source = Buffer.from(files[name]!);
          for (const [at, byte] of replaced) source[Math.floor(at * (source.length - 1))] = byte;
          // And a piece that is missing, doubled or left out.
          const [cut, end] = [source.length >> 2, source.length >> 1];
          const parts = [
            [source],
            [source.subarray(0, cut), source.subarray(end)],
            [source, source.subarray(cut)],
            [source.subarray(cut)],
          ][moved]!;
          const bytes = Buffer.concat(parts);
          expectSound(await imported(bytes), bytes.length);
        }),
        { numRuns: RUNS },
      );
    },
    TIMEOUT,
  );

  it(
    "where JSON of any shape stands in place of spans, attributes and values",
    async () => {
      const hole = fc.jsonValue({ maxDepth: 4 });
      const spanLike = fc.record(
        {
          traceId: fc.oneof(fc.constant("5b8efff798038103d269b633813fc60c"), hole),
          spanId: fc.oneof(fc.constantFrom("eee19b7ec3c1b174", "eee19b7ec3c1b175"), hole),
          parentSpanId: fc.oneof(fc.constantFrom("eee19b7ec3c1b174", "eee19b7ec3c1b175"), hole),
          name: fc.oneof(fc.constantFrom("asv.step", "asv.trajectory", "chat"), hole),
          startTimeUnixNano: hole,
          endTimeUnixNano: hole,
          status: hole,
          events: hole,
          links: hole,
          attributes: fc.oneof(
            hole,
            fc.dictionary(
              fc.constantFrom(
                ...Object.keys(spans[0]!.attributes),
                ...Object.keys(spans[1]!.attributes),
                "asv.step.detail",
                "asv.trajectory.detail",
                "gen_ai.operation.name",
                "gen_ai.input.messages",
                "openinference.span.kind",
                "__proto__",
              ),
              hole,
            ),
          ),
        },
        { requiredKeys: [] },
      );
      const payload = fc.oneof(
        hole,
        fc.array(spanLike, { maxLength: 6 }),
        fc.record({
          resourceSpans: fc.array(
            fc.record({
              resource: hole,
              scopeSpans: fc.array(fc.record({ scope: hole, spans: fc.array(spanLike) })),
            }),
          ),
        }),
        fc.record({
          resourceLogs: fc.oneof(
            hole,
            fc.array(fc.record({ scopeLogs: fc.array(fc.record({ logRecords: fc.array(hole) })) })),
          ),
        }),
        fc.record({
          data: fc.array(
            fc.record({
              spans: fc.array(fc.record({ spanID: hole, traceID: hole, tags: hole, references: hole })),
              processes: hole,
            }),
          ),
        }),
      );
      await fc.assert(
        fc.asyncProperty(payload, async (value) => {
          const source = Buffer.from(JSON.stringify(value));
          const { report, trajectories } = await imported(source);
          expect(report.outcome === "unusable").toBe(trajectories.length === 0);
        }),
        { numRuns: RUNS },
      );
    },
    TIMEOUT,
  );
});

describe("names and shapes that are meant to hurt", () => {
  const asv = (attributes: Record<string, unknown>, name = "asv.step", spanId = "1".repeat(16)) => ({
    name,
    traceId: "1".repeat(32),
    spanId,
    attributes,
  });

  it("takes __proto__ and its like for names", async () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
    const state = '{"__proto__":{"polluted":true},"constructor":1}';
    const items = names.flatMap((id, i) => [
      asv(
        { "asv.trajectory.id": id, "asv.schema.version": 1, __proto__: null },
        "asv.trajectory",
        `a${i}`.padEnd(16, "0"),
      ),
      asv(
        { "asv.trajectory.id": id, "asv.step.id": id, "asv.state.after": state },
        "asv.step",
        `b${i}`.padEnd(16, "0"),
      ),
    ]);
    const { trajectories, report } = await imported(Buffer.from(JSON.stringify(items)));
    expect(trajectories.map(({ trajectoryId }) => trajectoryId).sort()).toEqual([...names].sort());
    expect(report.states.unverified).toBe(4);
    expect(Object.keys(trajectories[0]!.steps[0]!.stateAfter!)).toContain("__proto__");
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it("refuses nesting that would overflow the stack, and reads the spans beside it", async () => {
    const deep = (open: string, close: string): string => open.repeat(200_000) + close.repeat(200_000);
    const attribute = `{"name":"a","traceId":"${"1".repeat(32)}","spanId":"${"1".repeat(16)}","attributes":{"deep":${deep("[", "]")}}}`;
    const good = JSON.stringify(
      asv({ "asv.trajectory.id": "t", "asv.step.id": "s" }, "asv.step", "2".repeat(16)),
    );
    for (const source of [`[${attribute},${good}]`, `${attribute}\n${good}\n`]) {
      const { trajectories, report } = await imported(Buffer.from(source));
      expect(trajectories).toHaveLength(1);
      expect(report.problemCounts).toEqual({ invalid_span: 1 });
    }
    const state = JSON.stringify(
      asv({ "asv.trajectory.id": "t", "asv.step.id": "s", "asv.state.after": `{"a":${deep("[", "]")}}` }),
    );
    expect((await imported(Buffer.from(state))).report).toMatchObject({
      outcome: "partial",
      states: { damaged: 1 },
    });
    const { report } = await imported(Buffer.from(deep("[", "]")));
    expect(report.outcome).toBe("unusable");
  });

  it("comes to an end on parents that lead in circles, to themselves and nowhere", async () => {
    const call = (spanId: string, parentSpanId: string, attributes: Record<string, unknown> = {}) => ({
      name: "chat m",
      traceId: "1".repeat(32),
      spanId,
      parentSpanId,
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.input.messages": '[{"role":"user","parts":[{"type":"text","content":"Which light?"}]}]',
        "gen_ai.output.messages": '[{"role":"assistant","parts":[{"type":"text","content":"Green."}]}]',
        ...attributes,
      },
    });
    const [a, b, c, d, e] = ["a", "b", "c", "d", "e"].map((letter) => letter.repeat(16)) as [
      string,
      string,
      string,
      string,
      string,
    ];
    const circle = [call(a, b), call(b, c), call(c, a), call(d, d), call(e, "f".repeat(16))];
    const { report } = await imported(Buffer.from(JSON.stringify(circle)));
    expect(report.references).toEqual({ cycles: 2, unresolved: 1, remote: 0 });
    expect(report.spans.foreign).toBe(5);
  });

  it("bounds what decompresses to very much", async () => {
    const line = Buffer.from(`{"resourceSpans":[${" ".repeat(100_000_000)}]}\n`);
    const { report } = await imported(zlib.zstdCompressSync(line), { messageLimit: 1 << 20 });
    expect(report.outcome).toBe("unusable");
    expect(Object.keys(report.problemCounts).sort()).toEqual(["expansion", "too_long"]);
    const inFrame = Buffer.alloc(4);
    const frame = zlib.zstdCompressSync(line);
    inFrame.writeUInt32BE(frame.length);
    const framed = await imported(Buffer.concat([inFrame, frame]), { messageLimit: 1 << 20 });
    expect(framed.report.problemCounts).toEqual({ too_long: 1 });
  });

  it("refuses a run above its limit and keeps the others", async () => {
    const many = Array.from({ length: 50 }, (_, i) =>
      asv(
        { "asv.trajectory.id": "large", "asv.step.id": `s${i}`, "asv.step.index": i },
        "asv.step",
        `c${i}`.padEnd(16, "0"),
      ),
    );
    const small = asv({ "asv.trajectory.id": "small", "asv.step.id": "s" }, "asv.step", "d".repeat(16));
    const { trajectories, report } = await imported(Buffer.from(JSON.stringify([...many, small])), {
      runLimit: 5000,
    });
    expect(trajectories.map(({ trajectoryId }) => trajectoryId)).toEqual(["small"]);
    expect(report).toMatchObject({ outcome: "partial", rejected: 1, warningCounts: { too_large: 1 } });
  });
});
