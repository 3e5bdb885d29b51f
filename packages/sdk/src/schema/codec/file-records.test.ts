import { describe, expect, it } from "vitest";
import type { RecordPlace } from "../../errors/index.ts";
import type { JsonObject } from "../json.ts";
import { decodeCandidateFileRecord, encodeCandidateFileRecord } from "./candidate-set-codec.ts";
import { decodeScoreFileRecord, encodeScoreFileRecord } from "./score-codec.ts";
import { decodeStepMetrics, encodeStepMetrics } from "./step-metrics-codec.ts";

const place = { source: "file.jsonl", line: 2 };
const sha = "0123456789abcdef".repeat(4);
const subject = { task_id: "t", candidate_set_sha256: sha, state_sha256: sha, protocol_id: "rho-1" };

const protocol: JsonObject = {
  schema_version: "asv.score.v1",
  record: "protocol",
  protocol_id: "rho-1",
  name: "direct",
  protocol: { evaluator: { kind: "k", topLogprobs: 20 } },
  unknown: 1,
};
const score: JsonObject = {
  schema_version: "asv.score.v1",
  record: "score",
  ...subject,
  evaluator: { kind: "openai", model: "m", unknown: 1 },
  mapping: { design: "balanced", index: 1, order: ["c2", "c1"], unknown: 1 },
  label_scores: { A: -0.1, B: -20 },
  scores: { c2: -0.1, c1: -20 },
  floored: ["c1"],
  floor_bound: -12.5,
  label_mass: 0.9,
  top_logprobs: [
    { token: "A", logprob: -0.1, bytes: [65], unknown: 1 },
    { token: "x", logprob: null },
  ],
  topk_asked: 20,
  flags: ["floor"],
  usage: { prompt_tokens: 10, completion_tokens: 1, cached_tokens: 0, reasoning_tokens: 0, unknown: 1 },
  model_returned: "m-1",
  fingerprint: "fp",
  prompt_sha256: sha,
  rationale_sha256: sha,
  unknown: { a: [null] },
};
const rationale: JsonObject = {
  schema_version: "asv.score.v1",
  record: "rationale",
  ...subject,
  text: "because",
  finish_reason: "stop",
  flags: [],
  coverage: 0.5,
  usage: {},
  model_returned: "m-1",
  prompt_sha256: sha,
  unknown: 1,
};
const unscored: JsonObject = {
  schema_version: "asv.score.v1",
  record: "unscored",
  ...subject,
  mapping: { design: "label-free", index: 0, order: [] },
  reason: "refused",
  unknown: 1,
};
const metrics: JsonObject = {
  schema_version: "asv.steps.v1",
  record: "step_metrics",
  trajectory_id: "t",
  step_id: "s",
  index: 3,
  action: "think",
  protocol_id: "rho-1",
  evaluator_kind: "k",
  diagnostics: {
    belief_before: { c1: 0.5, c2: 0.5 },
    belief_after: { c1: 1, c2: 0 },
    entropy_before: 0.69,
    entropy_after: 0,
    entropy_movement: 0.69,
    surprise: 0.69,
    margin_before: 0,
    margin_after: 20,
    margin_gain: 20,
    damage: false,
    repair: true,
    layout_spread: 0,
    floor_interval: { low: 12.5 },
    flags: ["floor"],
    unknown: 1,
  },
  flags: ["discontinuity"],
  label: "useful",
  unknown: 1,
};
const candidateSet: JsonObject = {
  schema_version: "asv.candidates.v1",
  record: "candidate_set",
  task_id: "t",
  question: "q",
  type: "candidate_set",
  candidates: [
    { id: "cand-1", label: "A", text: "yes", prior: 0.5, unknown: 1 },
    { id: "cand-2", text: "no" },
  ],
  frozen_sha256: sha,
  review: { reviewer: "kb", reviewed_at: "2026-01-02", notes: "n", unknown: 1 },
  label_source: "a-data-set",
  unknown: 1,
};
const gold: JsonObject = {
  schema_version: "asv.candidates.v1",
  record: "gold",
  task_id: "t",
  gold_candidate_id: "cand-2",
  unknown: 1,
};

const scoreFile = (json: unknown, at: RecordPlace) => encodeScoreFileRecord(decodeScoreFileRecord(json, at));
const stepsFile = (json: unknown, at: RecordPlace) => encodeStepMetrics(decodeStepMetrics(json, at));
const candidates = (json: unknown, at: RecordPlace) =>
  encodeCandidateFileRecord(decodeCandidateFileRecord(json, at));

const kinds: [string, JsonObject, (json: unknown, at: RecordPlace) => JsonObject][] = [
  ["protocol", protocol, scoreFile],
  ["score", score, scoreFile],
  ["rationale", rationale, scoreFile],
  ["unscored", unscored, scoreFile],
  ["step_metrics", metrics, stepsFile],
  ["candidate_set", candidateSet, candidates],
  ["gold", gold, candidates],
];

describe.each(kinds)("%s", (_, json, copy) => {
  it("survives a read-write round trip byte for byte, unknown keys at every level included", () => {
    expect(JSON.stringify(copy(json, place))).toBe(JSON.stringify(json));
  });

  it.each(["asv.v1", "asv.score.v9", null])("is refused with schema version %j", (version) => {
    expect(() => copy({ ...json, schema_version: version }, place)).toThrow(
      expect.objectContaining({ code: "unknown_schema_version" }),
    );
  });

  it("is refused as another kind of record", () => {
    expect(() => copy({ ...json, record: "other" }, place)).toThrow(
      expect.objectContaining({ code: "invalid_record", fields: { ...place, path: "record" } }),
    );
  });
});

describe.each<[string, JsonObject, (json: unknown, at: RecordPlace) => JsonObject, JsonObject, string]>([
  ["a state digest that is none", score, scoreFile, { state_sha256: "abc" }, "state_sha256"],
  ["a text score", score, scoreFile, { scores: { c1: "-1" } }, "scores.c1"],
  ["a score past any evaluator's", score, scoreFile, { scores: { c2: 1e308, c1: -20 } }, "scores.c2"],
  ["a label's too", score, scoreFile, { label_scores: { A: -0.1, B: -1e308 } }, "label_scores.B"],
  ["a floor bound past them", score, scoreFile, { floor_bound: -1e7 }, "floor_bound"],
  ["an unknown flag", score, scoreFile, { flags: ["floor", "odd"] }, "flags[1]"],
  [
    "an unknown design",
    score,
    scoreFile,
    { mapping: { design: "x", index: 0, order: [] } },
    "mapping.design",
  ],
  ["a list as usage", score, scoreFile, { usage: [] }, "usage"],
  ["a token without text", score, scoreFile, { top_logprobs: [{ logprob: -1 }] }, "top_logprobs"],
  ["no coverage", rationale, scoreFile, { coverage: null }, "coverage"],
  ["no protocol", protocol, scoreFile, { protocol: null }, "protocol"],
  ["no action", metrics, stepsFile, { action: null }, "action"],
  [
    "a text gain",
    metrics,
    stepsFile,
    { diagnostics: { ...(metrics["diagnostics"] as JsonObject), margin_gain: "1" } },
    "diagnostics.margin_gain",
  ],
  [
    "two candidates of one id",
    candidateSet,
    candidates,
    { candidates: [{ id: "a" }, { id: "a" }] },
    "candidates[1].id",
  ],
  [
    "a target in a candidate set",
    candidateSet,
    candidates,
    { gold_candidate_id: "cand-2" },
    "gold_candidate_id",
  ],
  ["a review by nobody", candidateSet, candidates, { review: { notes: "n" } }, "review.reviewer"],
  ["no target", gold, candidates, { gold_candidate_id: null }, "gold_candidate_id"],
])("%s", (_, json, copy, change, path) => {
  it("is refused with its path", () => {
    expect(() => copy({ ...json, ...change }, place)).toThrow(
      expect.objectContaining({ code: "invalid_record", fields: { ...place, path } }),
    );
  });
});
