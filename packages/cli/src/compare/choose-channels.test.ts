import { createScoreIndex } from "@agent-step-value/sdk";
import { describe, expect, it } from "vitest";
import { chooseAudit, chooseChannels, namedChannels } from "./choose-channels.ts";

/** An index that knows protocols by these names, the n-th with the id `rho-n`. */
function index(...names: string[]) {
  const scores = createScoreIndex();
  names.forEach((name, i) =>
    scores.add({ record: "protocol", protocolId: `rho-${i}`, name, protocol: { evaluator: `m-${i}` } }),
  );
  return scores;
}

const audit = (names: readonly string[], asked: Parameters<typeof chooseAudit>[1] = {}) =>
  chooseAudit(namedChannels(index(...names)), asked);

describe("chooseChannels", () => {
  it("holds against direct by default, the first of several, whatever the order of the files", () => {
    const of = (...names: string[]) => chooseChannels(index(...names), {});
    expect(of("rationale-128", "direct").baseline.name).toBe("direct");
    const { baseline, channels } = of("rationale-128", "direct", "direct");
    expect(baseline.name).toBe("direct rho-1");
    expect(channels.map(({ name }) => name)).toEqual(["rationale-128", "direct rho-2"]);
    expect(of("mine", "other").baseline.name).toBe("mine");
  });

  it("finds a channel by id, and keeps control characters of a name out of a message", () => {
    const scores = index("di\u001b[31mrect", "other");
    expect(chooseChannels(scores, { baseline: "rho-1" }).baseline.name).toBe("other");
    expect(() => chooseChannels(scores, { baseline: "none" })).toThrow(
      "they hold di [31mrect (rho-0), other",
    );
  });
});

describe("chooseAudit", () => {
  it("takes the presets that several protocols bear the name of, and does not call them missing", () => {
    const choice = audit(["extractive", "rationale-128", "rationale-128", "direct", "direct"]);
    expect(choice).toMatchObject({ baseline: "direct rho-3", contrast: "rationale-128 rho-1" });
    expect(choice.expected).toEqual([
      "rationale-512",
      "candidate-only",
      "direct@evidence",
      "rationale-128@evidence",
    ]);
  });

  it("takes ids and names, and never one channel for both", () => {
    expect(audit(["a", "b", "c"], { contrast: "rho-0" })).toMatchObject({ baseline: "b", contrast: "a" });
    expect(audit(["a", "direct"], { contrast: "direct" })).toMatchObject({ baseline: "a" });
    expect(audit(["a", "rationale-128"], { baseline: "rationale-128" })).toMatchObject({ contrast: "a" });
    expect(() => audit(["a", "b"], { baseline: "a", contrast: "rho-0" })).toThrow(/is the baseline itself/);
    expect(() => audit(["a", "a", "b"], { baseline: "a" })).toThrow(/more than one channel/);
    expect(() => audit(["a"])).toThrow(/hold one protocol, a \(rho-0\); an audit needs two/);
  });
});
