import { describe, expect, it } from "vitest";
import { defineProtocol, protocols, type ProtocolPreset } from "../../protocol/index.ts";
import { decodeScoreFileRecord, encodeScoreFileRecord, type ScoreFileRecord } from "../../schema/index.ts";
import { score } from "../../score/score.ts";
import { fixtureTrajectory, scriptedEvaluator, type ScriptedOptions } from "../../testing/index.ts";
import { recordedEvaluator } from "./index.ts";

const mappings = { design: "balanced" as const, count: 3, seed: 0 };
const trajectories = [fixtureTrajectory({ steps: 2 })];

async function scored(evaluator: ReturnType<typeof recordedEvaluator>, preset: ProtocolPreset) {
  const protocol = defineProtocol({ ...preset, mappings, evaluator: evaluator.settings });
  const records: ScoreFileRecord[] = [];
  for await (const record of score(trajectories, { protocol, evaluator })) records.push(record);
  return records;
}
/** As a file would give them back. */
const stored = (records: ScoreFileRecord[]) =>
  records.map((record, i) =>
    decodeScoreFileRecord(JSON.parse(JSON.stringify(encodeScoreFileRecord(record))), {
      source: "scores.jsonl",
      line: i + 1,
    }),
  );

describe("recordedEvaluator", () => {
  it.each([
    ["direct", protocols.direct, {}],
    ["with rationales", protocols.rationale128, {}],
    [
      "with an emitted token outside the list and usage",
      protocols.direct,
      {
        reply: () => ({
          form: "logprobs",
          topLogprobs: [
            { token: "A", logprob: -0.2 },
            { token: "x", logprob: null },
          ],
          topkAsked: 20,
          firstToken: { token: "B", logprob: -3 },
          usage: { promptTokens: 90 },
          model: "m-1-2026",
          fingerprint: "fp",
          flags: ["reasoning_tokens"],
        }),
      } satisfies ScriptedOptions,
    ],
    ["without labels", protocols.direct, { capabilities: { usesLabels: false } }],
  ] as const)("replays a score file to the byte: %s", async (_, preset, options) => {
    const original = await scored(scriptedEvaluator(options as ScriptedOptions), preset);
    const replayed = await scored(recordedEvaluator(stored(original)), preset);
    expect(JSON.stringify(stored(replayed))).toBe(JSON.stringify(stored(original)));
  });

  it("reads the stored lists anew under another floor", async () => {
    const reply = () => [{ token: "A", logprob: -0.1 }];
    const original = await scored(scriptedEvaluator({ reply }), protocols.direct);
    const normalisation = {
      ...protocols.direct.normalisation,
      floor: { rule: "constant" as const, score: -33 },
    };
    const replayed = await scored(recordedEvaluator(stored(original)), {
      ...protocols.direct,
      normalisation,
    });
    const lowest = replayed.flatMap((r) =>
      r.record === "score" ? [Math.min(...Object.values(r.scores))] : [],
    );
    expect(lowest).toEqual(Array.from({ length: 9 }, () => -33));
  });

  it("leaves what was not recorded, or was recorded with another prompt, unscored", async () => {
    const original = stored(await scored(scriptedEvaluator(), protocols.direct));
    const missing = await scored(recordedEvaluator(original.slice(0, -1)), protocols.direct);
    expect(missing.at(-1)).toMatchObject({ record: "unscored" });
    expect((missing.at(-1) as { reason: string }).reason).toContain("not recorded");
    const otherPrompt = await scored(recordedEvaluator(original), protocols.extractive);
    expect(otherPrompt.filter(({ record }) => record === "unscored").length).toBeGreaterThan(0);
    const anyPrompt = await scored(recordedEvaluator(original, { anyPrompt: true }), protocols.extractive);
    expect(anyPrompt.filter(({ record }) => record === "unscored")).toEqual([]);
  });

  it("wants to know which protocol and which settings where the records do not say", async () => {
    const direct = await scored(scriptedEvaluator(), protocols.direct);
    const rationale = await scored(scriptedEvaluator(), protocols.rationale128);
    expect(() => recordedEvaluator([...direct, ...rationale])).toThrow(/protocolId must be one of rho-/);
    const chosen = recordedEvaluator([...direct, ...rationale], { protocolId: rationale[0]!.protocolId });
    expect(chosen.capabilities.rationale).toBe(true);
    expect(() => recordedEvaluator(direct.slice(1))).toThrow(/settings must be given/);
    expect(recordedEvaluator(direct.slice(1), { settings: scriptedEvaluator().settings }).settings.kind).toBe(
      "scripted",
    );
  });
});
