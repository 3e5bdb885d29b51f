import { describe, expect, it } from "vitest";
import type { ScoreRecord } from "../schema/index.ts";
import { createScoreIndex } from "./score-index.ts";

function record(changes: Partial<ScoreRecord> = {}): ScoreRecord {
  return {
    record: "score",
    taskId: "t",
    candidateSetSha256: "c",
    stateSha256: "s",
    protocolId: "rho",
    evaluator: { kind: "lexical", model: "lexical-v1" },
    mapping: { design: "balanced", index: 0, order: [] },
    scores: { a: 0, b: -1 },
    floored: [],
    flags: [],
    ...changes,
  };
}
const row = (index: number) => ({ design: "balanced" as const, index, order: [] });

describe("createScoreIndex", () => {
  it("returns mappings in order whatever order they came in, and folds duplicates", () => {
    const index = createScoreIndex();
    for (const b of [2, 0, 3, 1, 2]) index.add(record({ mapping: row(b), scores: { a: b, b: 0 } }));
    const found = index.find("rho", "t", "c", "s");
    expect(found.map(({ mapping }) => mapping.index)).toEqual([0, 1, 2, 3]);
    expect(found.map(({ scores }) => scores.a)).toEqual([0, 1, 2, 3]);
    expect(index.protocols()).toEqual([
      { protocolId: "rho", evaluatorKinds: ["lexical"], states: 1, scores: 4 },
    ]);
  });

  it("refuses other scores for a state and mapping it knows", () => {
    const index = createScoreIndex();
    index.add(record({ scores: { a: 1, b: 0 } }));
    index.add(record({ scores: { a: 1, b: 0 } }));
    for (const scores of [
      { a: 1.0000001, b: 0 },
      { a: 1, c: 0 },
      { a: 1, b: 0, c: 0 },
    ]) {
      expect(() => index.add(record({ scores }))).toThrow(
        expect.objectContaining({ code: "conflicting_records" }),
      );
    }
    expect(index.find("rho", "t", "c", "s").map(({ scores }) => scores.a)).toEqual([1]);
  });

  it("does not confuse keys that would run together", () => {
    const index = createScoreIndex();
    index.add(record({ taskId: 'a","b', candidateSetSha256: "c" }));
    expect(index.find("rho", "a", 'b","c', "s")).toEqual([]);
    expect(index.find("rho", 'a","b', "c", "s")).toHaveLength(1);
  });

  it("keeps an id named __proto__ and never hands out its own arrays", () => {
    const index = createScoreIndex();
    const scores = JSON.parse('{"__proto__": -2, "b": -1}') as Record<string, number>;
    index.add(record({ scores, floored: ["b"], flags: ["floor"], floorBound: -5 }));
    const [found] = index.find("rho", "t", "c", "s");
    expect(Object.entries(found!.scores)).toEqual([
      ["__proto__", -2],
      ["b", -1],
    ]);
    expect(found).toMatchObject({ floored: ["b"], flags: ["floor"], floorBound: -5 });
    found!.flags.push("refusal");
    expect(index.find("rho", "t", "c", "s")[0]!.flags).toEqual(["floor"]);
  });

  it("knows the protocol's name and number of mappings from its record", () => {
    const index = createScoreIndex();
    const protocol = { mappings: { design: "balanced", count: 4, seed: 0 } };
    index.add({ record: "protocol", protocolId: "rho", name: "direct", protocol });
    expect(index.protocols()[0]).toMatchObject({ name: "direct", mappings: 4, protocol, states: 0 });
  });
});
