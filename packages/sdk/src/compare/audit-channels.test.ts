import { describe, expect, it } from "vitest";
import type { DiagnosedStep } from "../diagnose/index.ts";
import { defineProtocol, protocolRecord, protocols } from "../protocol/index.ts";
import type { AuditChannel } from "./audit-channel.ts";
import { AUDIT_CHANNELS, auditChannels } from "./audit-channels.ts";
import { auditAxes } from "./audit-axes.ts";
import type { AttributionAudit, AuditRow } from "./attribution-audit.ts";
import { diagnosticsOf, numbersOf, stepOf, unscored } from "./channel-steps.test-support.ts";
import { encodeAudit } from "./encode-comparison.ts";

const TRAJECTORIES = 8;

/** Two steps a trajectory, from a margin of 1. */
function steps(gainOf: (t: number, i: number) => number): DiagnosedStep[] {
  return Array.from({ length: TRAJECTORIES }, (_, t) =>
    [0, 1].map((i) =>
      stepOf(`t${t}`, `s${i}`, gainOf(t, i), { index: i, action: i === 0 ? "extract" : "audit" }),
    ),
  ).flat();
}

const direct: AuditChannel = { name: "direct", steps: steps(() => 2) };
const rationale: AuditChannel = { name: "rationale-128", steps: steps((t, i) => (i === 0 ? -t : 2)) };
const longer: AuditChannel = { name: "rationale-512", steps: steps((t) => -t / 2) };
const every = { samples: ["clean" as const], resamples: 100, expected: [] };

const rowOf = ({ tables }: AttributionAudit, name: string): AuditRow =>
  tables[0]!.rows.find(({ channel }) => channel === name)!;

describe("auditChannels", () => {
  it("holds every channel against the baseline over the same transitions", () => {
    const audit = auditChannels([direct, rationale, longer], every);
    expect(audit).toMatchObject({
      baseline: "direct",
      contrast: "rationale-128",
      warnings: ["few_trajectories"],
    });
    expect(audit.tables[0]).toMatchObject({ population: 16, selected: 16, selectedOnOutcome: false });
    // rationale-128: −0…−7 on the first step, 2 on the second: (16 − 28)/16. Gap −2 − t and 0.
    const row = rowOf(audit, "rationale-128");
    expect(row.marginGain.mean).toBe(-12 / 16);
    expect(row.gap.mean).toBe(-44 / 16);
    expect(row.absoluteGap.mean).toBe(44 / 16);
    expect(row.flip).toMatchObject({ bothMoved: 15, disagree: 7, onlyBMoved: 1 });
    expect(row.flip.rate.mean).toBe(7 / 15);
    // From 1, a gain of −1 or less loses the target: t = 1…7.
    expect(row.damage).toMatchObject({ count: 7, rate: 7 / 16, eligible: 16 });
    expect(row.repair).toEqual({
      count: 0,
      rate: 0,
      interval: expect.objectContaining({ method: "wilson", low: 0, effectiveSteps: TRAJECTORIES }),
      eligible: 0,
    });
    expect(row.meanSurprise).toBe(44 / 16);
    expect(rowOf(audit, "rationale-512").marginGain.mean).toBe(-1.75);
  });

  it("is exactly zero in the baseline's own row", () => {
    const row = rowOf(auditChannels([direct, rationale], every), "direct");
    expect(row.isBaseline).toBe(true);
    expect(row.gap).toMatchObject({ mean: 0, interval: { low: 0, high: 0, degenerate: true } });
    expect(row.flip).toMatchObject({ bothMoved: 16, disagree: 0 });
  });

  it("shows the selected sample beside a random one unless told otherwise, and says it is selected", () => {
    const audit = auditChannels([direct, rationale, longer], { size: 5, resamples: 50 });
    const [largest, random] = audit.tables;
    expect(largest).toMatchObject({
      sample: "largest_gap",
      selectedOnOutcome: true,
      requested: 5,
      selected: 5,
      perTrajectory: 3,
      beyondPerTrajectory: 0,
    });
    expect(largest!.steps.map(({ gap }) => gap)).toEqual([-9, -8, -7, -6, -5]);
    expect(largest!.steps[0]).toMatchObject({ trajectoryId: "t7", stepId: "s0", action: "extract" });
    expect(random).toMatchObject({ sample: "random", selectedOnOutcome: false, selected: 5 });
    expect(Math.abs(random!.rows[1]!.gap.mean!)).toBeLessThan(Math.abs(largest!.rows[1]!.gap.mean!));
    expect(audit.warnings).toContain("selected_on_outcome");
  });

  it("samples among what is clean in baseline and contrast alone", () => {
    const flagged = (at: number, own: AuditChannel): AuditChannel => ({
      ...own,
      steps: [...own.steps].map((step, i) => (i === at ? { ...step, flags: ["floor" as const] } : step)),
    });
    const channels = [flagged(0, direct), flagged(3, rationale), flagged(5, longer)];
    const audit = auditChannels(channels, every);
    expect(audit.excluded).toEqual({ notPaired: 0, mismatched: 0, unclean: 2 });
    expect(audit.tables[0]!.population).toBe(14);
    // A floor in another row's channel is counted there.
    expect(rowOf(audit, "rationale-512")).toMatchObject({ steps: 14, floored: 1 });
  });

  it("says what each row lacks, and which channels are not there", () => {
    const [first, second, third, ...rest] = [...longer.steps];
    const partial: AuditChannel = {
      name: "rationale-512",
      steps: [
        unscored(second!),
        { ...third!, transition: { ...third!.transition!, stateBeforeSha256: "another" } },
        ...rest,
      ],
    };
    const audit = auditChannels([direct, rationale, partial], { samples: ["clean"], resamples: 0 });
    const row = rowOf(audit, "rationale-512");
    expect(row.steps).toBe(13);
    expect(row.missing).toEqual({ notInChannel: 1, withoutGain: 1, mismatched: 1 });
    expect(row.mismatches).toEqual([
      {
        reason: "state_before",
        count: 1,
        examples: [{ trajectoryId: third!.trajectoryId, stepId: third!.stepId }],
      },
    ]);
    expect(first!.stepId).toBe("s0");
    expect(audit.missingChannels).toEqual(
      AUDIT_CHANNELS.filter((name) => !/^(direct|rationale-\d+)$/.test(name)),
    );
    expect(audit.warnings).toEqual([
      "unequal_coverage",
      "missing_channels",
      "mismatched_transitions",
      "few_trajectories",
    ]);
  });

  it("counts what only one of the two channels has", () => {
    const audit = auditChannels(
      [
        { ...direct, steps: [...direct.steps].slice(3) },
        { ...rationale, steps: [...rationale.steps].slice(0, -1) },
      ],
      every,
    );
    expect(audit.excluded).toEqual({ notPaired: 4, mismatched: 0, unclean: 0 });
    expect(audit.tables[0]!.population).toBe(12);
  });

  it("takes other channels for baseline and contrast by name", () => {
    const audit = auditChannels([direct, rationale, longer], {
      ...every,
      baseline: "rationale-512",
      contrast: "direct",
    });
    expect(audit).toMatchObject({ baseline: "rationale-512", contrast: "direct" });
    expect(rowOf(audit, "direct").gap.mean).toBe(3.75);
    // Without the usual names: the first channel, and the first other one.
    const other = [
      { ...longer, name: "x" },
      { ...direct, name: "y" },
    ];
    expect(auditChannels(other, every)).toMatchObject({ baseline: "x", contrast: "y" });
  });

  it("reads a row's place in the table from its protocol, and what differs from the baseline's", () => {
    const evaluator = { kind: "e", model: "m", temperature: 0, thinking: false, topLogprobs: 20 };
    const wire = (preset: (typeof protocols)[keyof typeof protocols]) =>
      protocolRecord(defineProtocol({ ...preset, evaluator })).protocol;
    const audit = auditChannels(
      [
        { ...direct, protocol: wire(protocols.direct) },
        { ...rationale, protocol: wire(protocols.rationale128) },
        { ...longer, name: "candidate-only", protocol: wire(protocols.candidateOnly) },
      ],
      every,
    );
    const rows = audit.tables[0]!.rows;
    expect(rows.map(({ slice, buffer }) => [slice, buffer])).toEqual([
      ["full", "none"],
      ["full", "generated-128"],
      ["none", "none"],
    ]);
    expect(rows.map(({ differences }) => differences!.map(({ path }) => path))).toEqual([
      [],
      ["buffer.kind", "buffer.max_tokens"],
      ["projection.slice"],
    ]);
    expect(auditAxes(undefined)).toEqual({ slice: "unknown", buffer: "unknown" });
    expect(auditAxes({ buffer: { kind: 3 }, projection: [] })).toEqual({
      slice: "unknown",
      buffer: "unknown",
    });
  });

  it.each([
    [[direct], {}, "channels"],
    [[direct, direct], {}, "different names"],
    [[direct, rationale], { baseline: "nobody" }, "one of the channels direct, rationale-128"],
    [[direct, rationale], { contrast: "direct" }, "not the baseline"],
    [[direct, rationale], { size: 0 }, "size"],
    [[direct, rationale], { perTrajectory: 1.5 }, "perTrajectory"],
    [[direct, rationale], { sampleSeed: 0.5 }, "seed"],
    [[direct, rationale], { samples: ["biggest" as never] }, "samples"],
  ])("refuses bad input %#", (channels, options, message) => {
    expect(() => auditChannels(channels, options)).toThrow(message);
  });

  it("has nothing to show where nothing is clean, and says so without NaN", () => {
    const floors = (own: AuditChannel): AuditChannel => ({
      ...own,
      steps: [...own.steps].map((step) => ({ ...step, flags: ["floor" as const] })),
    });
    const empty: AuditChannel = { name: "extractive", steps: [] };
    for (const channels of [
      [floors(direct), floors(rationale), empty],
      [{ ...direct, steps: [] }, rationale, empty],
      [empty, { ...direct, steps: [] }],
    ]) {
      const audit = auditChannels(channels, { resamples: 50, expected: [] });
      expect(audit.warnings).toContain("no_clean_transitions");
      expect(audit.tables.every(({ rows }) => rows.every((row) => row.steps === 0))).toBe(true);
      expect(numbersOf(audit).every(Number.isFinite)).toBe(true);
      expect(JSON.stringify(encodeAudit(audit))).not.toContain("null");
    }
  });

  it("warns of few trajectories by the sample that has fewest", () => {
    // 25 trajectories, but the four largest gaps come from two of them.
    const wide = (gainOf: (t: number) => number): DiagnosedStep[] =>
      Array.from({ length: 25 }, (_, t) => [
        stepOf(`t${t}`, "s0", gainOf(t)),
        stepOf(`t${t}`, "s1", gainOf(t)),
      ]).flat();
    const channels = [
      { name: "direct", steps: wide(() => 1) },
      { name: "rationale-128", steps: wide((t) => (t < 2 ? 9 : 1)) },
    ];
    const options = { size: 4, resamples: 0, expected: [] };
    const both = auditChannels(channels, { ...options, samples: ["clean", "largest_gap"] });
    expect(both.warnings).toContain("too_few_trajectories");
    expect(auditChannels(channels, { ...options, samples: ["clean"] }).warnings).toEqual([]);
  });

  it("takes one trajectory, without intervals", () => {
    const one = (gain: number) => [stepOf("t", "s", gain, { diagnostics: diagnosticsOf(gain) })];
    const audit = auditChannels(
      [
        { name: "direct", steps: one(1) },
        { name: "rationale-128", steps: one(-3) },
      ],
      every,
    );
    expect(audit.warnings).toContain("too_few_trajectories");
    expect(rowOf(audit, "rationale-128").gap).toEqual({
      steps: 1,
      trajectories: 1,
      mean: -4,
      intervalAbsent: "too_few_trajectories",
    });
  });
});
