import { InMemoryLogRecordExporter, LoggerProvider, SimpleLogRecordProcessor } from "@opentelemetry/sdk-logs";
import type { QualityFlag, StepDiagnostics, StepMetrics } from "@agent-step-value/sdk";
import { describe, expect, it } from "vitest";
import { stepPlace } from "../asv-spans/index.ts";
import { emitEvaluations, type EmitEvaluationsOptions } from "./emit-evaluations.ts";

function step(index: number, diagnostics?: Partial<StepDiagnostics>, flags: QualityFlag[] = []): StepMetrics {
  const measured: StepDiagnostics = {
    beliefBefore: { "cand-1": 0.5, "cand-2": 0.5 },
    beliefAfter: { "cand-1": 0.9, "cand-2": 0.1 },
    entropyBefore: 0.7,
    entropyAfter: 0.3,
    entropyMovement: 0.4,
    surprise: 0.25,
    flags: [],
  };
  return {
    trajectoryId: "run-1",
    stepId: `s-${index}`,
    index,
    action: "model",
    protocolId: "rho-0123456789abcdef",
    evaluatorKind: "lexical",
    ...(diagnostics !== undefined && { diagnostics: { ...measured, ...diagnostics } }),
    flags,
    label: "harmful",
  };
}

/** Emits through the official SDK and gives back what its exporter was handed. */
function emitted(steps: StepMetrics[], options: Omit<EmitEvaluationsOptions, "logger"> = {}) {
  const exporter = new InMemoryLogRecordExporter();
  const provider = new LoggerProvider({ processors: [new SimpleLogRecordProcessor({ exporter })] });
  const logger = provider.getLogger("test");
  const counts = emitEvaluations(steps, { logger, ...options });
  return { counts, records: exporter.getFinishedLogRecords() };
}

const labels = (steps: StepMetrics[]) =>
  emitted(steps).records.map(({ attributes }) => attributes["gen_ai.evaluation.score.label"]);

describe("emitEvaluations", () => {
  it("gives one record a metric, in the context of the step's span", () => {
    const { records, counts } = emitted([step(3, { marginGain: 1.5 })], { evaluatorModel: "lexical-v1" });
    const shared = {
      "asv.trajectory.id": "run-1",
      "asv.step.id": "s-3",
      "asv.step.index": 3,
      "asv.protocol.digest": "rho-0123456789abcdef",
      "asv.evaluator.model": "lexical-v1",
      "asv.flags.floor": false,
      "asv.flags.leak": false,
    };
    expect(records.map(({ attributes }) => attributes)).toEqual([
      {
        "gen_ai.evaluation.name": "asv.gold_margin_gain",
        "gen_ai.evaluation.score.value": 1.5,
        "gen_ai.evaluation.score.label": "gain",
        ...shared,
      },
      {
        "gen_ai.evaluation.name": "asv.entropy_movement",
        "gen_ai.evaluation.score.value": 0.4,
        "gen_ai.evaluation.score.label": "gain",
        ...shared,
      },
      { "gen_ai.evaluation.name": "asv.bayesian_surprise", "gen_ai.evaluation.score.value": 0.25, ...shared },
    ]);
    for (const { eventName, spanContext, body } of records) {
      expect(eventName).toBe("gen_ai.evaluation.result");
      expect(spanContext).toMatchObject(stepPlace("run-1", "s-3"));
      expect(body).toBeUndefined();
    }
    expect(counts).toEqual({
      emitted: { "asv.gold_margin_gain": 1, "asv.entropy_movement": 1, "asv.bayesian_surprise": 1 },
      unmeasured: {},
      absent: {},
    });
  });

  it("says gain, loss or flat by the sign, with the tolerance that reports use", () => {
    const values = [1, -1, 0, 1e-10, -1e-10].map((marginGain, i) =>
      step(i, { marginGain, entropyMovement: -marginGain, surprise: 0 }),
    );
    expect(labels(values)).toEqual(
      ["gain", "loss", "flat", "loss", "gain", "flat"].concat(Array<string>(9).fill("flat")),
    );
  });

  it.each<[QualityFlag, boolean, boolean]>([
    ["floor", true, false],
    ["gold_leak", false, true],
    ["label_leak", false, true],
    ["refusal", false, false],
  ])("says flagged for a step with %s, whatever its sign", (flag, floor, leak) => {
    const { records } = emitted([step(0, { marginGain: 2 }, [flag])]);
    expect(records).toHaveLength(3);
    for (const { attributes } of records) {
      expect(attributes["gen_ai.evaluation.score.label"]).toBe("flagged");
      expect([attributes["asv.flags.floor"], attributes["asv.flags.leak"]]).toEqual([floor, leak]);
    }
  });

  it("emits nothing for what was not measured, and counts it: missing is never zero", () => {
    const { records, counts } = emitted([
      step(0, undefined, ["no_state"]),
      step(1, undefined, ["partial_trajectory", "unscored"]),
      step(2, {}, ["no_target"]),
      step(3, { marginGain: Infinity, entropyMovement: NaN }),
    ]);
    expect(records.map(({ attributes }) => attributes["gen_ai.evaluation.name"])).toEqual([
      "asv.entropy_movement",
      "asv.bayesian_surprise",
      "asv.bayesian_surprise",
    ]);
    expect(counts).toEqual({
      emitted: { "asv.entropy_movement": 1, "asv.bayesian_surprise": 2 },
      unmeasured: { no_state: 1, unscored: 1 },
      absent: { "asv.gold_margin_gain": 2, "asv.entropy_movement": 1 },
    });
  });

  it("never carries a candidate, a belief or a human label", () => {
    const text = JSON.stringify(
      emitted([step(0, { marginGain: 1 })]).records.map(({ attributes }) => attributes),
    );
    expect(text).not.toMatch(/cand-|harmful|belief/);
  });

  it("adds the channel effect of steps that were compared", () => {
    const { records, counts } = emitted([step(0, {}), step(1, {})], {
      channelEffectOf: ({ index }) => (index === 1 ? -0.5 : undefined),
    });
    const effects = records.filter(
      ({ attributes }) => attributes["gen_ai.evaluation.name"] === "asv.channel_effect",
    );
    expect(effects.map(({ attributes }) => attributes)).toMatchObject([
      { "asv.step.index": 1, "gen_ai.evaluation.score.value": -0.5, "gen_ai.evaluation.score.label": "loss" },
    ]);
    expect(counts.absent).toEqual({ "asv.gold_margin_gain": 2 });
  });

  it("goes to the span that it is told, and to the step's own where that is not known", () => {
    const place = { traceId: "a".repeat(32), spanId: "b".repeat(16) };
    const { records } = emitted([step(0, {}), step(1, {})], {
      placeOf: ({ index }) => (index === 0 ? place : undefined),
    });
    expect(records[0]!.spanContext).toMatchObject(place);
    expect(records.at(-1)!.spanContext).toMatchObject(stepPlace("run-1", "s-1"));
  });

  it("refuses what is no logger", () => {
    expect(() => emitEvaluations([], { logger: {} as never })).toThrow(/logger/);
  });
});
