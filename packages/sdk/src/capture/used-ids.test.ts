import { describe, expect, it } from "vitest";
import { UsedIds } from "./used-ids.ts";

describe("UsedIds", () => {
  it("numbers what was used", () => {
    const ids = new UsedIds();
    expect(ids.fresh("a")).toBe("a");
    ids.add("a");
    expect([ids.fresh("a"), ids.fresh("a")]).toEqual(["a.2", "a.3"]);
    ids.add("a");
    expect(ids.fresh("a")).toBe("a.4");
  });

  it("remembers at least the 4,096 newest, with their numbers, and forgets in the end", () => {
    const ids = new UsedIds();
    ids.add("a");
    ids.fresh("a");
    for (let i = 0; i < 4090; i += 1) ids.add(`other ${i}`);
    expect(ids.fresh("a")).toBe("a.3");
    for (let i = 0; i < 4096; i += 1) ids.add(`another ${i}`);
    expect(ids.fresh("a")).toBe("a.4");
    for (let i = 0; i < 9000; i += 1) ids.add(`one more ${i}`);
    expect(ids.fresh("a")).toBe("a");
  });
});
