import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MappingRow } from "../schema/index.ts";
import { labelMappings, labelsOf, mappingBalance, parseMappings } from "./index.ts";
import { williamsDesign } from "./williams-design.ts";

const idsOf = (k: number) => Array.from({ length: k }, (_, i) => `cand-${i + 1}`);
const count = (keys: readonly string[]) => {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
};
const places = (rows: readonly string[][]) =>
  count(rows.flatMap((row) => row.map((id, at) => `${id}@${at}`)));
const pairs = (rows: readonly string[][]) =>
  count(rows.flatMap((row) => row.slice(1).map((id, at) => `${row[at]}>${id}`)));
const orders = (rows: readonly MappingRow[]) => rows.map(({ order }) => order);

describe("williamsDesign", () => {
  it("is the textbook square for 4: 0312 1023 2130 3201", () => {
    expect(williamsDesign(4).map((row) => row.join(""))).toEqual(["0312", "1023", "2130", "3201"]);
  });

  it("balances every place and every ordered pair for every K up to 26", () => {
    for (let k = 2; k <= 26; k++) {
      const rows = williamsDesign(k).map((row) => row.map(String));
      const each = rows.length / k;
      expect(rows).toHaveLength(k % 2 === 0 ? k : 2 * k);
      expect([...new Set(places(rows).values())]).toEqual([each]);
      expect(places(rows).size).toBe(k * k);
      // n rows hold n (k − 1) pairs; there are k (k − 1) ordered pairs.
      expect(pairs(rows).size).toBe(k * (k - 1));
      expect([...new Set(pairs(rows).values())]).toEqual([each]);
    }
  });
});

describe("labelMappings", () => {
  const balanced = (count: number, seed = 0) => ({ design: "balanced" as const, count, seed });

  it("fixed is the frozen order, once", () => {
    const rows = labelMappings(["c", "a", "b"], { design: "fixed", count: 1, seed: 9 }, "task");
    expect(rows).toEqual([{ design: "fixed", index: 0, order: ["c", "a", "b"] }]);
    expect(labelsOf(rows[0]!)).toEqual({ A: "c", B: "a", C: "b" });
  });

  it("a full design balances places and neighbours for any task, seed and repetition", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 9 }),
        fc.nat({ max: 2 }),
        fc.string(),
        fc.nat(),
        (k, more, task, seed) => {
          const full = k % 2 === 0 ? k : 2 * k;
          const design = balanced(full * (more + 1), seed % 2147483647);
          const rows = labelMappings(idsOf(k), design, task);
          expect(rows.map(({ index }) => index)).toEqual(rows.map((_, i) => i));
          expect(new Set(places(orders(rows)).values()).size).toBe(1);
          expect(places(orders(rows)).size).toBe(k * k);
          expect(new Set(pairs(orders(rows)).values()).size).toBe(1);
          expect(mappingBalance(k, design)).toEqual({ places: true, neighbours: true });
        },
      ),
      { numRuns: 60 },
    );
  });

  it("B = K balances the places for odd K too", () => {
    for (const k of [3, 5, 7]) {
      const rows = labelMappings(idsOf(k), balanced(k), "task");
      expect([...places(orders(rows)).values()].every((n) => n === 1)).toBe(true);
      expect(mappingBalance(k, balanced(k))).toEqual({ places: true, neighbours: false });
    }
  });

  it("B below or beside a multiple of K is not balanced", () => {
    expect(mappingBalance(4, balanced(3)).places).toBe(false);
    expect(mappingBalance(4, balanced(6)).places).toBe(false);
    expect(mappingBalance(4, balanced(8)).places).toBe(true);
    expect(labelMappings(idsOf(4), balanced(3), "task")).toHaveLength(3);
  });

  it("depends on task id and seed, on nothing else, and differs between tasks", () => {
    const of = (task: string, seed = 0) => JSON.stringify(labelMappings(idsOf(4), balanced(2, seed), task));
    expect(of("task 1")).toBe(of("task 1"));
    // 12 ordered pairs of rows of 4: fifty tasks use more than six of them.
    expect(new Set(Array.from({ length: 50 }, (_, i) => of(`task ${i}`))).size).toBeGreaterThan(6);
    expect(new Set(Array.from({ length: 50 }, (_, seed) => of("task 1", seed))).size).toBeGreaterThan(6);
  });

  it("maps back to ids through any composition of mappings", () => {
    // A score that belongs to a candidate reaches it whichever label carried it.
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 8 }),
        fc.integer({ min: 1, max: 20 }),
        fc.string(),
        (k, b, task) => {
          const once = labelMappings(idsOf(k), balanced(b), task);
          for (const { order } of once) {
            for (const row of labelMappings(order, balanced(b), `${task} again`)) {
              const byLabel = Object.entries(labelsOf(row)).map(
                ([label, id]) => [label, `score of ${id}`] as const,
              );
              const back = byLabel.map(([label, value]) => [labelsOf(row)[label], value] as const);
              expect(new Map(back)).toEqual(new Map(row.order.map((id) => [id, `score of ${id}`])));
              expect(row.order.toSorted()).toEqual(idsOf(k).toSorted());
            }
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it("refuses K outside 2 to 26 and a B that counts nothing", () => {
    expect(() => labelMappings(["a1"], balanced(1), "task")).toThrow(/candidateIds/);
    expect(() => labelMappings(idsOf(27), balanced(1), "task")).toThrow(/candidateIds/);
    expect(() => labelMappings(idsOf(4), balanced(0), "task")).toThrow(/design\.count/);
  });
});

describe("parseMappings", () => {
  it("reads fixed and balanced:B", () => {
    expect(parseMappings("fixed")).toEqual({ design: "fixed", count: 1, seed: 0 });
    expect(parseMappings("balanced:4", 7)).toEqual({ design: "balanced", count: 4, seed: 7 });
  });

  it.each([
    "",
    "balanced",
    "balanced:",
    "balanced:0",
    "balanced:-1",
    "balanced:4:4",
    "fixed:2",
    "balanced:1e9",
    "Fixed",
  ])("refuses %j", (text) => {
    expect(() => parseMappings(text)).toThrow(/mappings must be/);
  });
});
