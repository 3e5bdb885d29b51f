import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ForgottenIds } from "./forgotten-ids.ts";

describe("ForgottenIds", () => {
  it("knows at least as many as a generation has, and lets older ones go", () => {
    const ids = new ForgottenIds(100);
    for (let i = 0; i < 250; i++) ids.add(`run-${i}`);
    for (let i = 150; i < 250; i++) expect(ids.has(`run-${i}`)).toBe(true);
    expect(ids.has("run-0")).toBe(false);
  });

  it("takes few ids for others", () => {
    const ids = new ForgottenIds();
    for (let i = 0; i < 100_000; i++) ids.add(`0193a1c0-0000-7000-8000-${String(i).padStart(12, "0")}`);
    let mistaken = 0;
    for (let i = 100_000; i < 200_000; i++) {
      if (ids.has(`0193a1c0-0000-7000-8000-${String(i).padStart(12, "0")}`)) mistaken++;
      if (ids.has(randomUUID())) mistaken++;
    }
    // 200,000 questions at 100,000 / 2^32 each: 4.7 on average.
    expect(mistaken).toBeLessThan(30);
  });

  it("starts empty", () => {
    expect(new ForgottenIds().has("")).toBe(false);
  });
});
