import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { OtelSpan } from "../spans/otel-span.ts";
import { foldDuplicates } from "./fold-duplicates.ts";
import { soundParents } from "./parent-links.ts";

function span(spanId: string, parentSpanId?: string, more: Partial<OtelSpan> = {}): OtelSpan {
  return {
    traceId: "t",
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    name: "n",
    startNanos: 1n,
    endNanos: 2n,
    attributes: new Map(),
    events: [],
    links: [],
    status: { code: "unset" },
    scope: { name: "" },
    resource: new Map(),
    order: 0,
    place: { source: "s", line: 1 },
    ...more,
  };
}

function sound(spans: OtelSpan[]) {
  const counts = { unresolved: 0, remote: 0, cycles: 0 };
  const parents = Object.fromEntries(soundParents(spans, counts).map((s) => [s.spanId, s.parentSpanId]));
  return { parents, counts };
}

describe("soundParents", () => {
  it("cuts a cycle at the span that began first, whatever the order", () => {
    const ring = [
      span("a", "c", { startNanos: 5n }),
      span("b", "a", { startNanos: 3n }),
      span("c", "b", { startNanos: 4n }),
    ];
    for (const spans of [ring, ring.toReversed()]) {
      const { parents, counts } = sound([...spans, span("d", "a")]);
      expect(parents).toEqual({ a: "c", b: undefined, c: "b", d: "a" });
      expect(counts).toEqual({ unresolved: 0, remote: 0, cycles: 1 });
    }
    expect(sound([span("x", "x")])).toEqual({
      parents: { x: undefined },
      counts: { unresolved: 0, remote: 0, cycles: 1 },
    });
  });

  it("tells a caller in another system from spans that were lost", () => {
    // One absent parent and no root: the trace goes on elsewhere.
    expect(sound([span("a", "caller"), span("b", "a"), span("c", "caller")]).counts).toMatchObject({
      remote: 1,
      unresolved: 0,
    });
    // A root of its own: what b was under is gone.
    expect(sound([span("a"), span("b", "gone")]).counts).toMatchObject({ remote: 0, unresolved: 1 });
    expect(sound([span("a", "gone"), span("b", "lost")]).counts).toMatchObject({ remote: 0, unresolved: 2 });
  });

  it("leaves no cycle in any graph", () => {
    const graph = fc.array(fc.tuple(fc.nat(12), fc.bigInt({ min: 0n, max: 3n })), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(graph, (links) => {
        const spans = links.map(([parent, startNanos], i) => span(String(i), String(parent), { startNanos }));
        const { parents } = sound(spans);
        for (const start of Object.keys(parents)) {
          let id: string | undefined = start;
          for (let hops = 0; id !== undefined; hops++) {
            expect(hops).toBeLessThanOrEqual(links.length);
            id = parents[id];
          }
        }
      }),
    );
  });
});

describe("foldDuplicates", () => {
  const counted = (spans: OtelSpan[]) => {
    const counts = { folded: 0, conflicts: 0 };
    return { kept: foldDuplicates(spans, counts), counts };
  };

  it("folds equal spans, whatever the order of their attributes and who passed them on", () => {
    const one = span("a", undefined, {
      attributes: new Map([
        ["x", 1],
        ["y", 2],
      ]),
    });
    const two = span("a", undefined, {
      attributes: new Map([
        ["y", 2],
        ["x", 1],
      ]),
      resource: new Map([["collector", "b"]]),
      order: 9,
      place: { source: "other", line: 4 },
    });
    expect(counted([one, two, one])).toEqual({ kept: [one], counts: { folded: 2, conflicts: 0 } });
  });

  it("keeps of differing ones the one that ended later, in either order, at the earlier place", () => {
    const early = span("a", undefined, { endNanos: 5n, name: "early", order: 1 });
    const late = span("a", undefined, { endNanos: 7n, name: "late", order: 2 });
    const { endNanos: _, ...open } = span("a", undefined, { name: "open", order: 3 });
    for (const spans of [
      [early, late, open],
      [open, late, early],
    ]) {
      const { kept, counts } = counted(spans);
      expect(kept).toEqual([{ ...late, order: 1 }]);
      expect(counts).toEqual({ folded: 0, conflicts: 2 });
    }
    const [a, b] = [span("a", undefined, { name: "a" }), span("a", undefined, { name: "b" })];
    expect(counted([a, b]).kept).toEqual(counted([b, a]).kept);
  });
});
