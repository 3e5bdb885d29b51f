import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../schema/index.ts";
import { linesOf, liveRecords, statesOf } from "./live-lines.test-support.ts";
import { packTrajectories } from "./pack-trajectories.ts";
import { chain, read, refusal, states } from "./reading.test-support.ts";
import { streamOf, temporaryFolder } from "./temporary-files.test-support.ts";

const folder = temporaryFolder();
const STEPS = 6;
const began = (second: number): string => `2027-01-15T08:00:0${second}.000Z`;

/** A run as one writer records it, which saw all of it. */
function whole(): JsonObject[] {
  const [open, ...rest] = liveRecords("t", STEPS);
  const close = rest.pop()!;
  return [{ ...open, created_at: began(1), span_id: "aa" }, ...rest, { ...close, step_count: STEPS }];
}

/**
 * What a writer records of the run that sees these steps alone: before-states that stand in another's file are
 * written out, and taken for breaks in the chain.
 */
function part(seen: readonly number[], open: JsonObject, close: JsonObject | undefined): JsonObject[] {
  const own = whole();
  const all = statesOf("t", STEPS);
  const steps = seen.map((index): JsonObject => {
    const step = own[index + 1]!;
    const chained = index === 0 || seen.includes(index - 1);
    return chained ? step : { ...step, state_before: all[index]!, discontinuity: true };
  });
  const closes = close === undefined ? [] : [{ ...own.at(-1)!, step_count: seen.length, ...close }];
  return [{ ...own[0]!, ...open }, ...steps, ...closes];
}

/** The open record of a writer that has not seen the trajectory's own span. */
function madeUp(second: number): JsonObject {
  const nobody = { question: "", candidate_space: { candidates: [] } };
  return {
    created_at: began(second),
    source_adapter: "otel",
    task: nobody,
    trace_id: "other",
    synthetic: true,
  };
}

describe("parts of one run by several writers", () => {
  const saw = (missing: number): JsonObject => ({ status: "done", missing_steps: missing });

  it.each<[string, JsonObject[][]]>([
    [
      "one that saw the trajectory's span and two that did not",
      [
        part([0, 1, 5], {}, saw(3)),
        part([2, 3], madeUp(0), { status: "partial:shutdown" }),
        part([4], madeUp(3), { status: "partial:process-exit" }),
      ],
    ],
    [
      "one that did not see the span and was killed",
      [part([0, 1], {}, saw(4)), part([2, 3, 4, 5], madeUp(0), undefined)],
    ],
    [
      "two that say the same of it, each with a span of its own",
      [
        part([3, 4, 5], { created_at: began(4), span_id: "bb" }, { status: "done" }),
        part([0, 1, 2], {}, saw(3)),
      ],
    ],
  ])("%s read as the run that one writer would have recorded", async (_, parts) => {
    const [expected] = (await read(streamOf(linesOf(...whole())))).trajectories;
    const property = fc.asyncProperty(
      fc.shuffledSubarray(parts.flat(), { minLength: parts.flat().length }),
      fc.nat(12),
      fc.boolean(),
      async (shuffled, cut, asStream) => {
        const halves = [linesOf(...shuffled.slice(0, cut)), linesOf(...shuffled.slice(cut))];
        const sources = halves.map((text, i) =>
          asStream ? streamOf(text) : folder.file(`half-${i}.jsonl`, text),
        );
        const { trajectories, warnings } = await read(...sources);
        expect(trajectories).toEqual([expected]);
        expect(
          warnings.filter((warning) => !warning.startsWith("empty")).map((w) => w.split(":")[0]),
        ).toEqual(["joined"]);
      },
    );
    await fc.assert(property, { numRuns: 40 });
  });

  it("pack into the same line, which folds with them and with a copy of a part", async () => {
    const parts = [part([0, 1], {}, saw(4)), part([2, 3, 4, 5], madeUp(0), { status: "partial:shutdown" })];
    const files = parts.map((lines, i) => folder.file(`part-${i}.jsonl`, linesOf(...lines)));
    const out = folder.path("packed.jsonl");
    await packTrajectories(files, out);
    const copy = folder.file("copy.jsonl", linesOf(...parts[1]!));
    const { trajectories, warnings } = await read(out, files[1]!, copy, files[0]!);
    expect(states(trajectories[0]!)).toEqual(chain("t", STEPS));
    expect(trajectories).toHaveLength(1);
    // Six records of the copy, and the line that the parts are.
    const codes = warnings.map((warning) => warning.split(":")[0]);
    expect(codes.filter((code) => code === "duplicate")).toHaveLength(7);
    expect(codes.filter((code) => code !== "duplicate")).toEqual(["joined"]);
  });

  it("that nobody saw the span of stay made up, from the first on, with the end that can be told", async () => {
    const parts = [
      part([0, 1], madeUp(2), { status: "partial:shutdown", open_steps: 1 }),
      part([2, 3], madeUp(1), { status: "partial:idle", open_steps: 2 }),
    ];
    for (const ordered of [parts, parts.toReversed()]) {
      const { trajectories } = await read(streamOf(linesOf(...ordered.flat())));
      expect(trajectories[0]).toMatchObject({
        createdAt: began(1),
        status: "partial:idle",
        extra: { synthetic: true, step_count: 4, open_steps: 3 },
      });
    }
  });

  it("keep a break that is one, and say how many steps nobody has", async () => {
    const rest = part([3, 4, 5], madeUp(0), { status: "partial:shutdown" });
    rest[1] = { ...rest[1]!, state_before: { notes: "changed" } };
    delete rest[1]["before_sha256"];
    const parts = [part([0, 1, 2], {}, saw(4)), rest];
    const [run] = (await read(streamOf(linesOf(...parts.flat())))).trajectories;
    expect(run!.steps.map(({ discontinuity }) => discontinuity ?? false)).toEqual([
      false,
      false,
      false,
      true,
      false,
      false,
    ]);
    // 3 steps and 4 more were ended; 6 are there.
    expect(run!.extra).toMatchObject({ step_count: 6, missing_steps: 1 });
  });
});

describe("records of two runs with one id", () => {
  const [open, first, ...rest] = whole();
  const close = rest.at(-1)!;

  it.each<[string, JsonObject, JsonObject, string]>([
    [
      "asked another question",
      open!,
      { ...open!, task: { ...(open!["task"] as JsonObject), question: "?" } },
      "task",
    ],
    ["in another trace", { ...open!, trace_id: "a" }, { ...open!, trace_id: "b" }, "trace_id"],
    ["with a key of its own", open!, { ...open!, "a\nb": 1 }, String.raw`"a\nb" (string of 3)`],
    ["ended another way", close, { ...close, status: "error" }, "status"],
    ["with another score", close, { ...close, final_score: 1 }, "final_score"],
  ])("%s: are refused in either order, with what differs and what to do", async (_, one, other, fields) => {
    for (const pair of [
      [one, other],
      [other, one],
    ]) {
      const error = await refusal(streamOf(linesOf(...pair)));
      expect(error.code).toBe("conflicting_records");
      expect(error.message).toContain(
        `differs from the one at <stream>:1 in ${fields}. Either two runs have this id`,
      );
    }
  });

  it("whose indices meet are refused, though their open records agree", async () => {
    const again = { ...first!, step_id: "again" };
    const error = await refusal(streamOf(linesOf(open!, first!, { ...open!, created_at: began(7) }, again)));
    expect(error.code).toBe("conflicting_records");
    expect(error.message).toContain("read their files apart");
  });
});
