import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sharedFile } from "../../testing/shared-data.ts";
import type { JsonObject } from "../json.ts";
import { decodeTrajectory, encodeTrajectory } from "./trajectory-codec.ts";
import { wireTrajectory } from "./wire-arbitraries.test-support.ts";

const place = { source: "runs.jsonl", line: 7 };

describe("encodeTrajectory", () => {
  it("gives back what was read, unknown keys at every level included", () => {
    fc.assert(
      fc.property(wireTrajectory, (wire) => {
        const json = JSON.parse(JSON.stringify(wire)) as JsonObject;
        const trajectory = decodeTrajectory(json, place);
        const again = JSON.parse(JSON.stringify(encodeTrajectory(trajectory))) as JsonObject;
        expect(decodeTrajectory(again, place)).toStrictEqual(trajectory);
        expect(again).toMatchObject(withoutNulls(json));
      }),
      { numRuns: 150 },
    );
  });

  it("writes keys in one order, whatever order they were read in", () => {
    const candidates = [{ id: "c1" }, { id: "c2" }];
    const task = { question: "q", candidate_space: { candidates, gold_candidate_id: "c2" } };
    const json: JsonObject = { schema_version: "asv.v1", trajectory_id: "t-1", task, steps: [], other: 1 };
    const reversed = Object.fromEntries(Object.entries(json).toReversed());
    const write = (value: JsonObject): string =>
      JSON.stringify(encodeTrajectory(decodeTrajectory(value, place)));
    expect(write(reversed)).toBe(write(json));
    expect(write(json)).toMatch(/^{"schema_version":"asv.v1","trajectory_id":"t-1","source_adapter"/);
  });

  const files = ["reference/sample_trajectories.jsonl", "reference/smoke_trajectory.jsonl"].map(sharedFile);
  describe.skipIf(files.includes(undefined))("files of the Python toolkit", () => {
    it.each(files)("%s is read and written with equal content", (file) => {
      const lines = readFileSync(file!, "utf8").trim().split("\n");
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) {
        const json = JSON.parse(line) as JsonObject;
        const again = JSON.parse(
          JSON.stringify(encodeTrajectory(decodeTrajectory(json, place))),
        ) as JsonObject;
        expect(again).toMatchObject(withoutNulls(json));
      }
    });
  });
});

/** Known fields that are null are absent after reading; nulls inside free-form values stay. */
function withoutNulls(json: JsonObject): JsonObject {
  const known = new Set([
    "prior",
    "label",
    "created_at",
    "final_score",
    "state_before",
    "domain",
    "gold_candidate_id",
  ]);
  const strip = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(strip);
    if (typeof value !== "object" || value === null) return value;
    const kept = Object.entries(value).filter(([key, held]) => held !== null || !known.has(key));
    return Object.fromEntries(kept.map(([key, held]) => [key, strip(held)]));
  };
  return strip(json) as JsonObject;
}
