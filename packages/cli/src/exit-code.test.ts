import { AsvError, type AsvErrorCode } from "@agent-step-value/sdk";
import { expect, it } from "vitest";
import { exitCodeOf } from "./exit-code.ts";

it.each<[AsvErrorCode, number]>([
  ["invalid_argument", 1],
  ["unknown_format", 1],
  ["incompatible_evaluator", 1],
  ["invalid_record", 2],
  ["unknown_schema_version", 2],
  ["unreadable_source", 2],
  ["damaged", 2],
  ["conflicting_records", 2],
  ["unfrozen_candidates", 2],
  ["too_few_trajectories", 2],
  ["evaluator_failed", 4],
  ["budget_reached", 5],
  ["interrupted", 130],
])("%s exits %i", (code, exit) => {
  expect(exitCodeOf(new AsvError(code, "x"))).toBe(exit);
});

it("a code this version does not know, and a foreign error, count as usage", () => {
  expect(exitCodeOf(new AsvError("from_the_future" as AsvErrorCode, "x"))).toBe(1);
  expect(exitCodeOf(new TypeError("x"))).toBe(1);
});
