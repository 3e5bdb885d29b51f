import { describe, expect, it } from "vitest";
import { validateCandidates } from "../candidates/index.ts";
import { whoAndWhenCandidates } from "./who-and-when-candidates.ts";

const own = { question: "Which city?", answer: "Kyoto" };
const pool = ["Oslo", "Lima", "KYOTO", "Nara", "17"].map((answer, i) => ({
  question: `Question ${i}`,
  answer,
}));
const texts = (space: ReturnType<typeof whoAndWhenCandidates>) => space.candidates.map(({ text }) => text);

describe("whoAndWhenCandidates", () => {
  it("holds the reference, the run's answer, two others and none-of-the-above", () => {
    const space = whoAndWhenCandidates(own, "Osaka", [own, ...pool], 7);
    expect(space.candidates.map(({ id }) => id)).toEqual([
      "cand-1",
      "cand-2",
      "cand-3",
      "cand-4",
      "none-of-the-above",
    ]);
    expect(texts(space)).toEqual(expect.arrayContaining(["Kyoto", "Osaka"]));
    expect(texts(space)).not.toContain("KYOTO");
    const target = space.candidates.find(({ id }) => id === space.goldCandidateId);
    expect(target?.text).toBe("Kyoto");
    expect(space.labelSource).toBe("who-and-when");
    expect(() => validateCandidates(space.candidates, "made")).not.toThrow();
  });

  it("counts answers equal after normalising once", () => {
    expect(whoAndWhenCandidates(own, "kyoto.", pool, 7).candidates).toHaveLength(4);
    expect(whoAndWhenCandidates(own, undefined, pool, 7).candidates).toHaveLength(4);
  });

  it("takes what there is from a small pool", () => {
    expect(texts(whoAndWhenCandidates(own, undefined, [own, pool[0]!], 7)).sort()).toEqual([
      "Kyoto",
      "None of the above",
      "Oslo",
    ]);
  });

  it("is the same for the same seed and differs between seeds", () => {
    expect(whoAndWhenCandidates(own, "Osaka", pool, 7)).toEqual(whoAndWhenCandidates(own, "Osaka", pool, 7));
    const orders = new Set(
      Array.from({ length: 20 }, (_, seed) => texts(whoAndWhenCandidates(own, "Osaka", pool, seed)).join()),
    );
    expect(orders.size).toBeGreaterThan(10);
  });

  it("puts the target in every place about equally often", () => {
    const places = new Map<string, number>();
    for (let seed = 0; seed < 400; seed++) {
      const { goldCandidateId = "" } = whoAndWhenCandidates(own, "Osaka", pool, seed);
      places.set(goldCandidateId, (places.get(goldCandidateId) ?? 0) + 1);
    }
    // 100 expected, standard deviation 8.7: five of them either way
    expect(places.size).toBe(4);
    for (const count of places.values()) {
      expect(count).toBeGreaterThan(56);
      expect(count).toBeLessThan(144);
    }
  });
});
