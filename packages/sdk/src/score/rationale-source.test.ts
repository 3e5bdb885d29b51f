import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scriptedEvaluator } from "../evaluators/scripted/index.ts";
import { parseProtocolName, protocols } from "../protocol/index.ts";
import {
  decodeScoreFileRecord,
  encodeScoreFileRecord,
  sha256Hex,
  type RationaleRecord,
  type ScoreFileRecord,
} from "../schema/index.ts";
import { fixtureTrajectory } from "../testing/fixture-trajectory.ts";
import { balanced, codeOf, protocolFor, scoreRun, scoresOf } from "../testing/score-run.ts";
import { planScoring } from "./plan-scoring.ts";
import { rationaleSource } from "./rationale-source.ts";
import { memoryCache } from "./score-cache.ts";

const evaluator = () => scriptedEvaluator({ rationale: (_, call) => `rationale ${call}` });
/** Four tasks with 3, 4, 5 and 6 states. */
const runs = [2, 3, 4, 5].map((steps, i) =>
  fixtureTrajectory({ trajectoryId: `t${i + 1}`, steps, question: `Does gauge ${i} read high?` }),
);
const generated = protocolFor(protocols.rationale128, evaluator());
const swapped = protocolFor(protocols.swapped128, evaluator());

async function rationaleRun(trajectories = runs): Promise<ScoreFileRecord[]> {
  return (await scoreRun(trajectories, { protocol: generated, evaluator: evaluator(), concurrency: 1 }))
    .records;
}

function rationalesOf(records: readonly ScoreFileRecord[]): RationaleRecord[] {
  return records.filter((record): record is RationaleRecord => record.record === "rationale");
}

/** Scores `trajectories` with the rationales of the four runs swapped in. */
async function swappedRun(trajectories = runs, options: { shard?: { index: number; count: number } } = {}) {
  const rationales = await rationaleSource(await rationaleRun(), swapped);
  const asked = evaluator();
  const result = await scoreRun(trajectories, {
    protocol: swapped,
    evaluator: asked,
    rationales,
    ...options,
  });
  return { ...result, asked };
}

describe("the swapped buffer", () => {
  it("shows each state another task's rationale of the same position, word for word", async () => {
    const written = rationalesOf(await rationaleRun());
    const { records, asked, outcome } = await swappedRun();
    // 3 + 4 + 5 + 6 states; no other task has a sixth state, so t4's last one has no rationale.
    expect(outcome).toMatchObject({ states: 18, scored: 17, unscored: 1 });
    expect(asked.calls).toEqual({ score: 17, rationale: 0 });
    const shown = rationalesOf(records);
    expect(shown).toHaveLength(17);
    const position = (record: { taskId: string; stateSha256: string }) =>
      written
        .filter(({ taskId }) => taskId === record.taskId)
        .findIndex(({ stateSha256 }) => stateSha256 === record.stateSha256);
    for (const record of shown) {
      const { swappedFrom: origin } = record;
      expect(origin?.taskId).not.toBe(record.taskId);
      expect(origin?.protocolId).toBe(generated.id);
      expect(position(origin!)).toBe(position(record));
      const donor = written.find(
        (one) => one.taskId === origin!.taskId && one.stateSha256 === origin!.stateSha256,
      );
      expect([record.text, record.promptSha256]).toEqual([donor?.text, donor?.promptSha256]);
      expect(record.usage).toBeUndefined();
    }
    for (const { prompt } of asked.requests) expect(prompt).toMatch(/Rationale buffer:\n\| rationale \d+\n/);
    for (const score of scoresOf(records)) {
      const own = shown.find(
        ({ taskId, stateSha256 }) => taskId === score.taskId && stateSha256 === score.stateSha256,
      );
      expect(score.rationaleSha256).toBe(sha256Hex(own!.text));
    }
  });

  it("keeps one donor for a trajectory, and says why a state beyond all donors is unscored", async () => {
    const { records } = await swappedRun();
    for (const { task } of runs) {
      const donors = rationalesOf(records)
        .filter(({ taskId }) => taskId === task.taskId)
        .map(({ swappedFrom }) => swappedFrom!.taskId);
      expect(new Set(donors).size).toBe(1);
    }
    const unscored = records.filter((record) => record.record === "unscored");
    expect(unscored).toMatchObject([
      {
        taskId: "task of t4",
        reason: "swapped: no other task has a rationale at position 6 of its states",
      },
    ]);
  });

  it("is the same for any order of work, and for every shard", async () => {
    const whole = await swappedRun();
    expect((await swappedRun()).bytes).toBe(whole.bytes);
    const parts = await Promise.all([0, 1].map((index) => swappedRun(runs, { shard: { index, count: 2 } })));
    const lines = (records: readonly ScoreFileRecord[]) =>
      records.map((record) => JSON.stringify(record)).toSorted();
    const [head] = whole.records;
    expect(lines([head!, ...parts.flatMap(({ records }) => records.slice(1))])).toEqual(lines(whole.records));
  });

  it("survives a round trip through a file, its origin included", async () => {
    const { records } = await swappedRun();
    const wire = records.map((record) => encodeScoreFileRecord(record));
    expect(wire.find(({ record }) => record === "rationale")?.["swapped_from"]).toMatchObject({
      protocol_id: generated.id,
    });
    expect(wire.map((json) => decodeScoreFileRecord(json, { source: "f", line: 1 }))).toEqual(records);
  });

  it("is counted exactly by a dry run", async () => {
    const rationales = await rationaleSource(await rationaleRun(), swapped);
    const options = {
      protocol: protocolFor(protocols.swapped128, evaluator(), { mappings: balanced(4) }),
      evaluator: evaluator(),
      rationales,
      cache: memoryCache(),
    };
    const plan = await planScoring(runs, options);
    expect(plan).toMatchObject({ states: 18, records: 72, scoredCalls: 68, rationaleCalls: 0 });
    const { outcome } = await scoreRun(runs, options);
    expect(outcome.calls).toBe(68);
  });

  it("never serves a task its own rationale, whoever else there is", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.string({ minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 }),
        fc.nat({ max: 4 }),
        async (taskIds, position) => {
          const records = taskIds.flatMap((taskId) => recordsOf(taskId, 5));
          const source = await rationaleSource([...protocolLine, ...records], swapped);
          for (const taskId of [...taskIds, "a stranger"]) {
            const found = source.pick({ taskId, position, positions: 5 });
            if (taskIds.some((other) => other !== taskId)) {
              expect(found?.origin.taskId).not.toBe(taskId);
              expect(found?.text).toBe(`${found?.origin.taskId} ${position}`);
            } else expect(found).toBeUndefined();
            expect(source.pick({ taskId, position, positions: 5 })).toBe(found);
          }
        },
      ),
    );
  });

  it("a donor counts up to its first state without a rationale", async () => {
    const records = [...protocolLine, ...recordsOf("broken", 4, 2), ...recordsOf("short", 3)];
    const source = await rationaleSource(records, swapped);
    const pick = (position: number, positions: number) =>
      source.pick({ taskId: "mine", position, positions })?.origin.taskId;
    expect([pick(0, 3), pick(1, 3), pick(2, 3)]).toEqual(["short", "short", "short"]);
    expect([pick(2, 4), pick(3, 4)]).toEqual(["short", undefined]);
  });

  it("refuses a protocol without rationales, and rationales of other settings", async () => {
    const options = { protocol: swapped, evaluator: evaluator() };
    expect(await codeOf(planScoring(runs, options))).toBe("incompatible_evaluator");
    await expect(planScoring(runs, options)).rejects.toThrow(/no rationales of another run were given/);
    const records = await rationaleRun();
    const evidence = protocolFor(parseProtocolName("swapped-128@evidence"), evaluator());
    await expect(rationaleSource(records, evidence)).rejects.toThrow(/differs in projection\.slice/);
    const long = protocolFor(
      { ...protocols.swapped128, buffer: { kind: "swapped", maxTokens: 512 } },
      evaluator(),
    );
    await expect(rationaleSource(records, long)).rejects.toThrow(/differs in buffer\.maxTokens/);
    const direct = await scoreRun(runs, {
      protocol: protocolFor(protocols.direct, evaluator()),
      evaluator: evaluator(),
    });
    await expect(rationaleSource(direct.records, swapped)).rejects.toThrow(/it must be generated/);
    await expect(rationaleSource([], swapped)).rejects.toThrow(/holds no protocol line/);
    const permuted = protocolFor(protocols.swapped128, evaluator(), { mappings: balanced(4) });
    expect(await codeOf(rationaleSource(records, permuted))).toBe("none");
  });
});

const protocolLine: ScoreFileRecord[] = (await scoreRun([], { protocol: generated, evaluator: evaluator() }))
  .records;

/** Records of a made-up task; the state at place `gap` could not be scored. */
function recordsOf(taskId: string, states: number, gap = -1): ScoreFileRecord[] {
  return Array.from({ length: states }, (_, i): ScoreFileRecord => {
    const subject = {
      taskId,
      candidateSetSha256: sha256Hex("set"),
      stateSha256: sha256Hex(`${taskId} ${i}`),
      protocolId: generated.id,
    };
    if (i === gap) {
      const mapping = { design: "fixed" as const, index: 0, order: [] };
      return { record: "unscored", ...subject, mapping, reason: "evaluator_failed" };
    }
    const text = `${taskId} ${i}`;
    return { record: "rationale", ...subject, text, flags: [], coverage: 0, promptSha256: sha256Hex("p") };
  });
}
