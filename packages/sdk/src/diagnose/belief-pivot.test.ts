import { describe, expect, it } from "vitest";
import { beliefPivot, type BeliefPivot } from "./belief-pivot.ts";

const onA = { a: 0.8, b: 0.15, c: 0.05 };
const onB = { a: 0.1, b: 0.7, c: 0.2 };
const onC = { a: 0.1, b: 0.2, c: 0.7 };
const onBoth = { a: 0.45, b: 0.45, c: 0.1 };

describe("beliefPivot", () => {
  it.each<[typeof onA, typeof onA, string | undefined, BeliefPivot]>([
    [onA, onA, "a", "none"],
    [onB, onA, "a", "target_directed"],
    [onA, onB, "a", "destructive"],
    [onB, onC, "a", "between_others"],
    [onB, onC, undefined, "untargeted"],
    [onB, onB, undefined, "none"],
    [onBoth, onA, "a", "tied"],
    [onA, onBoth, "a", "tied"],
  ])("%j to %j with target %s is %s", (before, after, target, pivot) => {
    expect(beliefPivot(before, after, target, 1e-9)).toBe(pivot);
  });

  it("takes probabilities within the tolerance for tied", () => {
    const close = { a: 0.5, b: 0.5 - 1e-10, c: 1e-10 };
    expect(beliefPivot(close, onB, "a", 1e-9)).toBe("tied");
    expect(beliefPivot(close, onB, "a", 1e-11)).toBe("destructive");
  });

  it("reads candidates named like object internals", () => {
    const before = JSON.parse('{"__proto__": 0.9, "constructor": 0.1}');
    const after = JSON.parse('{"__proto__": 0.1, "constructor": 0.9}');
    expect(beliefPivot(before, after, "__proto__", 0)).toBe("destructive");
  });
});
