import { describe, expect, it } from "vitest";
import { openaiEvaluator } from "./openai-evaluator.ts";
import { parseCapability, type CapabilityReport } from "./capability.ts";

const report = (more: Partial<CapabilityReport> = {}): CapabilityReport => ({
  schema_version: "asv.capability.v1",
  endpoint: "local",
  model: "m-1",
  preset: "compatible",
  checks: [
    { name: "labels_listed", ok: true, detail: "4 of 4" },
    { name: "no_sentinels", ok: false, detail: "only 0 and -9999" },
  ],
  ok: false,
  at: "2026-11-30T12:00:00Z",
  ...more,
});
const evaluator = (capability: CapabilityReport, ignoreProbe = false) =>
  openaiEvaluator({ model: "m-1", baseUrl: "http://127.0.0.1:1/v1", capability, ignoreProbe });

describe("a capability report", () => {
  it("that failed refuses the evaluator, naming the failed checks alone", () => {
    expect(() => evaluator(report())).toThrow(/failed its probe.*no_sentinels: only 0 and -9999\./);
    expect(() => evaluator(report())).not.toThrow(/labels_listed/);
    expect(() => evaluator(report())).toThrow(expect.objectContaining({ code: "incompatible_evaluator" }));
  });

  it("that passed, or is to be ignored, does not, and is no part of the settings", () => {
    expect(evaluator(report({ ok: true })).settings).toEqual(evaluator(report(), true).settings);
  });

  it("about another model or server is refused even when it passed", () => {
    expect(() => evaluator(report({ ok: true, model: "m-2" }))).toThrow(
      /about m-2 at local, not m-1 at local/,
    );
    expect(() => evaluator(report({ ok: true, endpoint: "deepseek" }))).toThrow(/at deepseek/);
  });

  it.each<[unknown, RegExp]>([
    [{ ...report(), schema_version: "asv.capability.v9" }, /schema_version/],
    [{ ...report(), ok: "yes" }, /field ok/],
    [{ ...report(), checks: [{ name: "x" }] }, /checks\.0\.ok/],
    [null, /no capability report/],
  ])("%j is none", (json, message) => {
    expect(() => parseCapability(json, "probe.json")).toThrow(message);
    expect(() => parseCapability(json, "probe.json")).toThrow(/^probe\.json/);
  });

  it("comes back from its file as it was, unknown keys included", () => {
    const stored = { ...report(), note: "by hand" };
    expect(parseCapability(JSON.parse(JSON.stringify(stored)), "probe.json")).toEqual(stored);
  });
});
