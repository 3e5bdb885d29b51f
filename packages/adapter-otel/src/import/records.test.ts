import fc from "fast-check";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AttributeValue, OtelSpan } from "../spans/otel-span.ts";
import { packLog, packSpan, unpackLog, unpackSpan } from "../spans/packed-span.ts";
import { DigestIndex } from "./digest-index.ts";
import { recordGroups } from "./record-groups.ts";
import { RECORD, RecordSpill } from "./record-spill.ts";
import { StateStore } from "./state-store.ts";
import { wideHash } from "./text-hash.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "asv-spill-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const value: fc.Arbitrary<AttributeValue> = fc.letrec<{ value: AttributeValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.string(),
    fc.double(),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.boolean(),
    fc.constant(null),
    fc.uint8Array(),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.string(), tie("value"), { maxKeys: 3, noNullPrototype: false }),
  ),
})).value;
const attributes = fc
  .array(fc.tuple(fc.string(), value), { maxLength: 4 })
  .map((entries) => new Map(entries));

const anySpan: fc.Arbitrary<OtelSpan> = fc.record(
  {
    traceId: fc.string({ minLength: 1 }),
    spanId: fc.string({ minLength: 1 }),
    parentSpanId: fc.string({ minLength: 1 }),
    name: fc.string(),
    startNanos: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    endNanos: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    attributes,
    events: fc.array(fc.record({ name: fc.string(), timeNanos: fc.bigInt({ min: 0n }), attributes }), {
      maxLength: 2,
    }),
    links: fc.array(fc.record({ traceId: fc.string(), spanId: fc.string() }), { maxLength: 2 }),
    status: fc.record(
      { code: fc.constantFrom("unset", "ok", "error"), message: fc.string() },
      { requiredKeys: ["code"] },
    ),
    scope: fc.record({ name: fc.string(), version: fc.string() }, { requiredKeys: ["name"] }),
    resource: attributes,
    order: fc.nat(),
    place: fc.record({ source: fc.string(), line: fc.nat() }),
  },
  {
    requiredKeys: [
      "traceId",
      "spanId",
      "name",
      "startNanos",
      "attributes",
      "events",
      "links",
      "status",
      "scope",
      "resource",
      "order",
      "place",
    ],
  },
) as fc.Arbitrary<OtelSpan>;

describe("packed spans", () => {
  it("come back as they were", () => {
    fc.assert(
      fc.property(anySpan, (span) => {
        expect(unpackSpan(packSpan(span, () => true))).toEqual(span);
      }),
    );
  });

  it("come back without the attributes that are not kept, and with prototypes nowhere", () => {
    const hostile = JSON.parse('{"__proto__":1}') as AttributeValue;
    const held = new Map<string, AttributeValue>([
      ["asv.a", hostile],
      ["b", 1],
    ]);
    const span = { ...fc.sample(anySpan, 1)[0]!, attributes: held, events: [], resource: new Map() };
    const back = unpackSpan(packSpan(span, (key) => key.startsWith("asv."))).attributes;
    expect([...back.keys()]).toEqual(["asv.a"]);
    expect(Object.getPrototypeOf(back.get("asv.a"))).toBe(null);
    expect(Object.entries(back.get("asv.a") as object)).toEqual([["__proto__", 1]]);
  });

  it("do the same for log records", () => {
    const log = fc.record({ body: fc.option(value, { nil: undefined }), attributes, resource: attributes });
    fc.assert(
      fc.property(anySpan, log, (span, fields) => {
        const { traceId, spanId, scope, order, place } = span;
        const record = { traceId, spanId, timeNanos: 5n, eventName: "e", scope, order, place, ...fields };
        expect(unpackLog(packLog(record, () => true))).toEqual(record);
      }),
    );
  });
});

describe("RecordSpill", () => {
  const span = (at: number, parent = 0) => ({ kind: RECORD.foreign, span: at, parent, start: at });

  function filled(memoryLimit: number): RecordSpill {
    const spill = new RecordSpill(memoryLimit, folder);
    for (let i = 0; i < 500; i++)
      spill.add(`trace-${i % 50}`, span(i + 1), `${i} 灯台 ${"x".repeat(i % 40)}`);
    return spill;
  }

  it("gives the same groups from memory and from its file, each whole", () => {
    const groups = [1 << 20, 4096, 1].map((limit) => {
      const spill = filled(limit);
      const found = new Map<string, string[]>();
      for (const bucket of spill.buckets()) {
        for (const group of recordGroups(bucket)) {
          const texts = group.records.map((record) => bucket.payload(record));
          const trace = String(Number(texts[0]!.split(" ")[0]) % 50);
          expect(found.has(trace)).toBe(false);
          found.set(trace, texts);
        }
      }
      expect(spill.spilled > 0).toBe(limit < 1 << 20);
      // Nothing is left in the directory while it is read, let alone afterwards.
      expect(readdirSync(folder)).toEqual([]);
      spill.close();
      return [...found].sort(([a], [b]) => Number(a) - Number(b));
    });
    expect(groups[0]).toHaveLength(50);
    expect(groups[0]!.every(([, texts]) => texts.length === 10)).toBe(true);
    expect(groups[1]).toEqual(groups[0]);
    expect(groups[2]).toEqual(groups[0]);
  });

  it("gives groups in order of their start while they are in memory", () => {
    const spill = new RecordSpill(1 << 20, folder);
    for (const start of [5, 3, 9, 1])
      spill.add(`t${start}`, { kind: RECORD.native, span: 1, parent: 0, start }, String(start));
    const [bucket] = spill.buckets();
    expect(recordGroups(bucket!).map(({ records }) => bucket!.payload(records[0]!))).toEqual([
      "1",
      "3",
      "5",
      "9",
    ]);
  });

  it("keeps of the spans without content those above one with it", () => {
    const spill = new RecordSpill(1, folder);
    const id = (name: string): number => wideHash(name);
    const plumbing = (name: string, parent: string): void => {
      const header = {
        kind: RECORD.plumbing,
        span: id(name),
        parent: parent === "" ? 0 : id(parent),
        start: 0,
      };
      spill.add("t", header, name);
    };
    plumbing("grandparent", "");
    for (let i = 0; i < 100; i++) plumbing(`leaf-${i}`, "parent");
    plumbing("parent", "grandparent");
    // A cycle above a span must not keep the passes going.
    plumbing("ring-1", "ring-2");
    plumbing("ring-2", "ring-1");
    spill.add("t", { kind: RECORD.foreign, span: id("call"), parent: id("parent"), start: 1 }, "call");
    spill.add("t", { kind: RECORD.foreign, span: id("lost"), parent: id("ring-1"), start: 1 }, "lost");
    plumbing("alone", "");
    const names: string[] = [];
    for (const bucket of spill.buckets()) {
      for (const { records } of recordGroups(bucket))
        names.push(...records.map((record) => bucket.payload(record)));
    }
    spill.close();
    expect(names.sort()).toEqual(["call", "grandparent", "lost", "parent", "ring-1", "ring-2"]);
  });

  it("says where a temporary file could not be made", () => {
    const spill = new RecordSpill(1, join(folder, "none"));
    spill.add("t", span(1), "a");
    expect(() => spill.add("t", span(2), "b")).toThrow(
      expect.objectContaining({ code: "unreadable_source" }),
    );
  });
});

describe("StateStore", () => {
  it("gives every text back by its digest, from its buffer and its file", () => {
    const store = new StateStore(folder);
    const texts = Array.from({ length: 3000 }, (_, i) => `{"n":${i},"t":"灯台${"x".repeat(i % 900)}"}`);
    for (const [i, text] of texts.entries()) {
      const own = i % 2 === 0;
      store.put(sha256(text), { text, origin: i % 3 === 0 ? "log" : "local", own });
      store.put(sha256(text), { text: "never", origin: "log", own: true });
    }
    expect(store.size).toBe(3000);
    for (const [i, text] of texts.entries()) {
      expect(store.get(sha256(text))).toEqual({
        text,
        origin: i % 3 === 0 ? "log" : "local",
        own: i % 2 === 0,
      });
    }
    expect(store.get(sha256("other"))).toBeUndefined();
    store.close();
  });

  it("tells digests apart that begin alike", () => {
    const index = new DigestIndex();
    const near = Array.from(
      { length: 50 },
      (_, i) => `${"a".repeat(30)}${String(i).padStart(2, "0")}${"b".repeat(32)}`,
    );
    for (const [i, digest] of near.entries()) index.set(digest, { at: i, length: i + 1 });
    for (const [i, digest] of near.entries()) expect(index.get(digest)).toEqual({ at: i, length: i + 1 });
  });
});
