import { describe, expect, it } from "vitest";
import { defineProtocol, diffProtocols, parseProtocolName, protocols } from "./index.ts";

const evaluator = { kind: "openai", model: "m-1", temperature: 0, thinking: false, topLogprobs: 20 };
const define = (name: string) => defineProtocol({ ...parseProtocolName(name), evaluator });
const pathsBetween = (a: string, b: string) => diffProtocols(define(a), define(b)).map(({ path }) => path);

describe("protocols", () => {
  it("differ from direct in the buffer alone, or in the slice alone", () => {
    expect(pathsBetween("direct", "rationale-128")).toEqual(["buffer.kind", "buffer.maxTokens"]);
    expect(pathsBetween("direct", "rationale-512")).toEqual(["buffer.kind", "buffer.maxTokens"]);
    expect(pathsBetween("rationale-128", "rationale-512")).toEqual(["buffer.maxTokens"]);
    expect(pathsBetween("direct", "extractive")).toEqual(["buffer.kind", "buffer.maxTokens"]);
    expect(pathsBetween("rationale-128", "swapped-128")).toEqual(["buffer.kind"]);
    expect(pathsBetween("direct", "candidate-only")).toEqual(["projection.slice"]);
    expect(pathsBetween("direct", "direct@evidence")).toEqual(["projection.slice"]);
    expect(pathsBetween("rationale-128", "rationale-128@agent-output")).toEqual(["projection.slice"]);
  });
});

describe("parseProtocolName", () => {
  it("names the preset with its slice", () => {
    expect(parseProtocolName("rationale-128@evidence")).toMatchObject({
      name: "rationale-128@evidence",
      projection: { slice: "evidence" },
      buffer: { kind: "generated", maxTokens: 128 },
    });
    expect(parseProtocolName("direct@full")).toEqual(protocols.direct);
  });

  it("gives a copy that may be changed", () => {
    parseProtocolName("direct").projection.maxChars = 1;
    expect(protocols.direct.projection.maxChars).toBe(24_000);
  });

  it.each([
    "",
    "Direct",
    "rationale-256",
    "direct@",
    "direct@evidence-only",
    "candidate-only@evidence",
    "direct@full@full",
    "__proto__",
  ])("refuses %j and lists what there is", (name) => {
    expect(() => parseProtocolName(name)).toThrow(expect.objectContaining({ code: "unknown_format" }));
    expect(() => parseProtocolName(name)).toThrow(
      /direct, rationale-128, rationale-512, extractive, candidate-only/,
    );
  });
});
