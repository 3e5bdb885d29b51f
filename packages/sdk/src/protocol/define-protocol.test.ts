import { describe, expect, it } from "vitest";
import { defineProtocol, diffProtocols, protocolFromRecord, protocolRecord, protocols } from "./index.ts";

const evaluator = { kind: "openai", model: "m-1", temperature: 0, thinking: false, topLogprobs: 20 };
const direct = () => defineProtocol({ ...protocols.direct, evaluator });

describe("defineProtocol", () => {
  it("names a protocol by its content, not by its name or by key order", () => {
    const { name: _name, ...settings } = protocols.direct;
    const reversed = Object.fromEntries(Object.entries({ ...settings, evaluator }).toReversed());
    const renamed = defineProtocol({ ...(reversed as never as typeof settings), evaluator, name: "mine" });
    expect(direct().id).toMatch(/^rho-[0-9a-f]{16}$/);
    expect(renamed.id).toBe(direct().id);
    expect([direct().name, renamed.name]).toEqual(["direct", "mine"]);
    expect(defineProtocol({ ...settings, evaluator }).name).toBe(direct().id);
  });

  it("pins the id of direct, so that stored numbers keep theirs", () => {
    // SHA-256 of the settings as a file holds them (snake_case, sorted keys, no spaces), computed apart
    // from this code.
    expect(direct().id).toBe("rho-d3a5928d0ca816d8");
  });

  it("changes the id with every setting", () => {
    const base = direct();
    const others = [
      { ...base, projection: { ...base.projection, maxChars: 1000 } },
      { ...base, projection: { ...base.projection, slice: "evidence" as const } },
      { ...base, evaluator: { ...evaluator, temperature: 1 } },
      { ...base, evaluator: { ...evaluator, model: "m-2" } },
      { ...base, evaluator: { ...evaluator, topLogprobs: 5 } },
      { ...base, evaluator: { ...evaluator, thinking: true } },
      { ...base, evaluator: { ...evaluator, endpoint: "local" } },
      { ...base, evaluator: { ...evaluator, parameters: { logprobs_mode: "raw" } } },
      { ...base, buffer: { kind: "generated" as const, maxTokens: 128 } },
      { ...base, buffer: { kind: "generated" as const, maxTokens: 512 } },
      { ...base, buffer: { kind: "extractive" as const, maxTokens: 128 } },
      { ...base, mappings: { design: "balanced" as const, count: 4, seed: 0 } },
      { ...base, mappings: { ...base.mappings, seed: 1 } },
      { ...base, normalisation: { ...base.normalisation, floor: { rule: "constant" as const, score: -20 } } },
      { ...base, normalisation: { ...base.normalisation, floor: { rule: "bounded" as const, score: -30 } } },
    ].map(({ id: _id, ...rest }) => defineProtocol(rest));
    const ids = [base, ...others].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const other of others) expect(diffProtocols(base, other).length).toBeGreaterThan(0);
  });

  it("is frozen to its leaves and apart from what it was given", () => {
    const given = {
      ...structuredClone(protocols.direct),
      evaluator: { ...evaluator, parameters: { mode: "raw" } },
    };
    const protocol = defineProtocol(given);
    given.evaluator.parameters.mode = "processed";
    given.projection.maxChars = 999;
    expect(protocol.evaluator.parameters).toEqual({ mode: "raw" });
    expect(() => Object.assign(protocol.evaluator.parameters!, { mode: "other" })).toThrow(TypeError);
    expect(() => Object.assign(protocol.mappings, { count: 3 })).toThrow(TypeError);
    expect(() => Object.assign(protocol, { id: "rho-0" })).toThrow(TypeError);
  });

  it.each([
    [{ evaluator: { ...evaluator, temperature: Number.NaN } }, "protocol.evaluator.temperature"],
    [{ evaluator: { ...evaluator, modle: "x" } }, "protocol.evaluator"],
    [{ buffer: { kind: "generated" } }, "protocol.buffer.maxTokens"],
    [{ buffer: { kind: "quote" } }, "protocol.buffer.kind"],
    [{ mappings: { design: "fixed", count: 4, seed: 0 } }, "protocol.mappings.count"],
    [{ mappings: { design: "balanced", count: 1.5, seed: 0 } }, "protocol.mappings.count"],
    [{ projection: { slice: "evidence-only", maxChars: 1000 } }, "protocol.projection.slice"],
    [{ template: "asv-skeleton-2" }, "protocol.template"],
    [
      { normalisation: { floor: { rule: "bounded", score: -9999 }, variants: "label-variants-1" } },
      "floor.score",
    ],
    [{ gold: "cand-1" }, "protocol"],
  ])("refuses %j and names the setting", (change, path) => {
    const bad = { ...protocols.direct, evaluator, ...change } as never;
    expect(() => defineProtocol(bad)).toThrow(expect.objectContaining({ code: "invalid_argument" }));
    expect(() => defineProtocol(bad)).toThrow(path);
  });

  it("goes through its record and back, and refuses a record that was changed", () => {
    const protocol = defineProtocol({ ...protocols.rationale128, evaluator });
    const record = JSON.parse(JSON.stringify(protocolRecord(protocol)));
    expect(record.protocol.projection).toEqual({ slice: "full", max_chars: 24_000 });
    expect(protocolFromRecord(record)).toEqual(protocol);
    record.protocol.buffer.max_tokens = 256;
    expect(() => protocolFromRecord(record)).toThrow(/digest of its settings/);
  });
});

describe("diffProtocols", () => {
  it("lists exactly the settings that differ", () => {
    const rationale = defineProtocol({
      ...protocols.rationale128,
      evaluator: { ...evaluator, endpoint: "local" },
    });
    expect(diffProtocols(direct(), rationale)).toEqual([
      { path: "buffer.kind", a: "none", b: "generated" },
      { path: "buffer.maxTokens", b: 128 },
      { path: "evaluator.endpoint", b: "local" },
    ]);
    expect(diffProtocols(direct(), direct())).toEqual([]);
  });
});
