import { describe, expect, it } from "vitest";
import { createLedger } from "./score-budget.ts";

const tokens = (prompt: number, completion = 0) => ({ prompt, completion, cached: 0 });

describe("createLedger", () => {
  it("grants exactly maxCalls, then nothing ever again", () => {
    const ledger = createLedger({ maxCalls: 2 });
    const first = ledger.reserve(tokens(1));
    ledger.reserve(tokens(1))!.spend(undefined);
    expect(ledger.reserve(tokens(0))).toBeUndefined();
    expect(ledger.reached).toBe("max_calls");
    first!.release();
    expect(ledger.reserve(tokens(0))).toBeUndefined();
    expect(ledger.spending().calls).toBe(1);
  });

  it("a released ticket makes room as long as no limit was reached", () => {
    const ledger = createLedger({ maxCalls: 1 });
    ledger.reserve(tokens(1))!.release();
    expect(ledger.reserve(tokens(1))).toBeDefined();
  });

  it("holds estimates until usage is reported, then the usage", () => {
    const ledger = createLedger({ maxTokens: 100 });
    const first = ledger.reserve(tokens(60, 1))!;
    first.spend({ promptTokens: 20, completionTokens: 1, cachedTokens: 8 });
    expect(ledger.reserve(tokens(79))!).toBeDefined();
    expect(ledger.reserve(tokens(1))).toBeUndefined();
    expect(ledger.reached).toBe("max_tokens");
    expect(ledger.spending()).toEqual({
      calls: 1,
      tokens: { prompt: 20, completion: 1, cached: 8 },
      callsWithoutUsage: 0,
    });
  });

  it("usage that is not reported is not zero: the estimate stays held, and the call is counted as unknown", () => {
    const ledger = createLedger({ maxTokens: 100 });
    ledger.reserve(tokens(60))!.spend(undefined);
    expect(ledger.reserve(tokens(50))).toBeUndefined();
    expect(ledger.spending()).toEqual({
      calls: 1,
      tokens: { prompt: 0, completion: 0, cached: 0 },
      callsWithoutUsage: 1,
    });
  });

  it("counts money by the given prices, cached prompt tokens at their own", () => {
    const priceTable = { promptPerMillion: 2, completionPerMillion: 10, cachedPromptPerMillion: 0.5 };
    const ledger = createLedger({ maxUsd: 0.01, priceTable });
    ledger
      .reserve(tokens(1000, 100))!
      .spend({ promptTokens: 1000, completionTokens: 100, cachedTokens: 400 });
    // 600 at 2 + 400 at 0.5 + 100 at 10, per million
    expect(ledger.spending().usd).toBeCloseTo(0.0024, 12);
    expect(ledger.reserve(tokens(3801))).toBeUndefined();
    expect(ledger.reached).toBe("max_usd");
  });

  it("a failed call counts as a call and gives its tokens back", () => {
    const ledger = createLedger({ maxCalls: 2, maxTokens: 10 });
    ledger.reserve(tokens(10))!.fail();
    expect(ledger.reserve(tokens(10))).toBeDefined();
    expect(ledger.spending().calls).toBe(1);
    expect(ledger.reserve(tokens(0))).toBeUndefined();
    expect(ledger.reached).toBe("max_calls");
  });

  it("refuses limits that are no numbers and money without prices", () => {
    expect(() => createLedger({ maxCalls: -1 })).toThrow(/budget\.maxCalls/);
    expect(() => createLedger({ maxTokens: Number.NaN })).toThrow(/budget\.maxTokens/);
    expect(() => createLedger({ maxUsd: 1 })).toThrow(/priceTable must be given/);
    const priceTable = { promptPerMillion: Number.NaN, completionPerMillion: 1 };
    expect(() => createLedger({ priceTable })).toThrow(/promptPerMillion/);
    expect(createLedger({ maxCalls: 0 }).reserve(tokens(1))).toBeUndefined();
  });
});
