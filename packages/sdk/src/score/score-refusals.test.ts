import { describe, expect, it } from "vitest";
import { protocols, type Protocol } from "../protocol/index.ts";
import { fixtureTrajectory, scriptedEvaluator } from "../testing/index.ts";
import { balanced, codeOf, protocolFor, scoreRun, scoresOf } from "../testing/score-run.ts";
import { planScoring } from "./index.ts";

describe("refusals before any call", () => {
  it("a protocol the evaluator cannot carry out", async () => {
    const evaluator = scriptedEvaluator();
    const refused = async (protocol: Protocol, by = evaluator, trajectory = fixtureTrajectory()) => {
      const code = await codeOf(scoreRun([trajectory], { protocol, evaluator: by }));
      expect(by.requests).toEqual([]);
      expect(await codeOf(planScoring([trajectory], { protocol, evaluator: by }))).toBe(code);
      return code;
    };
    const other = scriptedEvaluator({ settings: { model: "other" } });
    expect(await refused(protocolFor(protocols.direct, other))).toBe("incompatible_evaluator");
    const swapped = protocolFor(protocols.direct, evaluator, { buffer: { kind: "swapped", maxTokens: 128 } });
    expect(await refused(swapped)).toBe("incompatible_evaluator");
    const mute = scriptedEvaluator({ capabilities: { rationale: false } });
    expect(await refused(protocolFor(protocols.rationale128, mute), mute)).toBe("incompatible_evaluator");
    const labelFree = scriptedEvaluator({ capabilities: { usesLabels: false } });
    expect(await refused(protocolFor(protocols.extractive, labelFree), labelFree)).toBe(
      "incompatible_evaluator",
    );
    const small = scriptedEvaluator({ capabilities: { maxCandidates: 2 } });
    expect(await refused(protocolFor(protocols.direct, small), small)).toBe("incompatible_evaluator");
  });

  it("says which setting differs", async () => {
    const evaluator = scriptedEvaluator();
    const protocol = protocolFor(
      protocols.direct,
      scriptedEvaluator({ settings: { endpoint: "elsewhere" } }),
    );
    await expect(scoreRun([], { protocol, evaluator })).rejects.toThrow(
      /evaluator\.endpoint to "elsewhere", the evaluator has nothing/,
    );
  });

  it("a set that is not frozen, unless allowed: then every record is flagged", async () => {
    const evaluator = scriptedEvaluator();
    const protocol = protocolFor(protocols.rationale128, evaluator);
    const unfrozen = fixtureTrajectory({ frozen: false, steps: 1 });
    expect(await codeOf(scoreRun([unfrozen], { protocol, evaluator }))).toBe("unfrozen_candidates");
    const changed = fixtureTrajectory({ steps: 1 });
    changed.task.candidateSpace.candidates[0]!.text += " Really.";
    expect(await codeOf(scoreRun([changed], { protocol, evaluator }))).toBe("unfrozen_candidates");
    const none = fixtureTrajectory();
    none.task.candidateSpace.candidates = [];
    expect(await codeOf(scoreRun([none], { protocol, evaluator, allowUnreviewed: true }))).toBe(
      "unfrozen_candidates",
    );
    expect(evaluator.requests).toEqual([]);
    const { records } = await scoreRun([unfrozen], { protocol, evaluator, allowUnreviewed: true });
    for (const record of scoresOf(records)) expect(record.flags).toContain("unreviewed_candidates");
  });

  it("options out of range", async () => {
    const evaluator = scriptedEvaluator();
    const protocol = protocolFor(protocols.direct, evaluator);
    for (const bad of [
      { concurrency: 0 },
      { concurrency: 1.5 },
      { shard: { index: 2, count: 2 } },
      { shard: { index: 0, count: 0 } },
      { budget: { maxCalls: -1 } },
    ]) {
      expect(await codeOf(scoreRun([], { protocol, evaluator, ...bad }))).toBe("invalid_argument");
    }
  });

  it("B that does not balance places is flagged", async () => {
    const evaluator = scriptedEvaluator();
    const flagsWith = async (count: number) => {
      const protocol = protocolFor(protocols.direct, evaluator, { mappings: balanced(count) });
      return scoresOf((await scoreRun([fixtureTrajectory()], { protocol, evaluator })).records)[0]!.flags;
    };
    expect(await flagsWith(2)).toEqual(["unbalanced_mappings"]);
    expect(await flagsWith(3)).toEqual([]);
  });
});
