import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AsvError } from "../errors/index.ts";
import { wireTrajectory } from "../schema/codec/wire-arbitraries.test-support.ts";
import { decodeTrajectory, encodeTrajectory, type JsonObject } from "../schema/index.ts";
import { linesOf, liveRecords } from "./live-lines.test-support.ts";
import { readTrajectories } from "./read-trajectories.ts";
import { collect, streamOf } from "./temporary-files.test-support.ts";

/**
 * The one promise to hostile input: either trajectories that can be written and read again, or an
 * `AsvError` that names a line.
 */
async function readsOrRefuses(bytes: Uint8Array): Promise<void> {
  try {
    for (const trajectory of await collect(readTrajectories(streamOf(bytes)))) {
      const again = JSON.parse(JSON.stringify(encodeTrajectory(trajectory))) as unknown;
      expect(decodeTrajectory(again, { source: "again", line: 1 })).toStrictEqual(trajectory);
    }
  } catch (error) {
    if (!AsvError.isInstance(error)) throw error;
    expect(error.fields["line"]).toBeGreaterThan(0);
    expect(error.message.length).toBeLessThan(700);
  }
}

const replacement = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(null, [], {}, "", -1, 1e300, { c1: 2 }, { c1: "x" }, [null], true, "asv.v2"),
);

/** Replaces or deletes one value somewhere in a JSON tree, chosen by a walk of random turns. */
function mutate(json: unknown, turns: readonly number[], value: unknown, remove: boolean): void {
  let at = json as Record<string, unknown>;
  for (const [i, turn] of turns.entries()) {
    const keys = Object.keys(at);
    if (keys.length === 0) return;
    const key = keys[turn % keys.length]!;
    const next = at[key];
    if (i < turns.length - 1 && typeof next === "object" && next !== null) {
      at = next as Record<string, unknown>;
      continue;
    }
    if (remove && !Array.isArray(at)) delete at[key];
    else at[key] = structuredClone(value);
    return;
  }
}

const mutation = fc.record({
  turns: fc.array(fc.nat(30), { minLength: 1, maxLength: 6 }),
  value: replacement,
  remove: fc.boolean(),
});

function mutated(
  json: unknown,
  mutations: readonly (typeof mutation extends fc.Arbitrary<infer M> ? M : never)[],
) {
  const copy = JSON.parse(JSON.stringify(json)) as unknown;
  for (const { turns, value, remove } of mutations) mutate(copy, turns, value, remove);
  return copy as JsonObject;
}

describe("the reader", () => {
  it("reads or refuses whole trajectories with values deleted, replaced or of another type", async () => {
    await fc.assert(
      fc.asyncProperty(
        wireTrajectory,
        fc.array(mutation, { minLength: 1, maxLength: 3 }),
        async (json, mutations) => {
          await readsOrRefuses(Buffer.from(linesOf(mutated(json, mutations))));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("reads or refuses live records with values deleted, replaced or of another type", async () => {
    const records = liveRecords("t", 3);
    await fc.assert(
      fc.asyncProperty(
        fc.array(mutation, { minLength: 1, maxLength: 3 }),
        fc.nat(4),
        async (mutations, at) => {
          const lines = records.map((record, i) => (i === at ? mutated(record, mutations) : record));
          await readsOrRefuses(Buffer.from(linesOf(...lines)));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("reads or refuses lines with bytes flipped, cut out or put in", async () => {
    const whole = wireTrajectory.map((json) =>
      Buffer.from(linesOf(json as JsonObject, ...liveRecords("t", 2))),
    );
    const edit = fc.record({
      at: fc.nat(),
      byte: fc.nat(255),
      kind: fc.constantFrom("flip", "cut", "insert"),
    });
    await fc.assert(
      fc.asyncProperty(whole, fc.array(edit, { minLength: 1, maxLength: 4 }), async (original, edits) => {
        let bytes = original;
        for (const { at, byte, kind } of edits) {
          const place = at % bytes.length;
          const kept = kind === "insert" ? place : place + 1;
          const middle = kind === "cut" ? [] : [Buffer.from([byte])];
          bytes = Buffer.concat([bytes.subarray(0, place), ...middle, bytes.subarray(kept)]);
        }
        await readsOrRefuses(bytes);
      }),
      { numRuns: 500 },
    );
  });

  it("reads or refuses any bytes and any JSON", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), (bytes) => readsOrRefuses(bytes)),
      { numRuns: 200 },
    );
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), (json) => readsOrRefuses(Buffer.from(`${JSON.stringify(json)}\n`))),
      { numRuns: 200 },
    );
  });

  it("refuses nesting that would overflow the stack, at its line", async () => {
    for (const depth of [1500, 200_000]) {
      const line = `{"trajectory_id":"t","task":${"[".repeat(depth)}${"]".repeat(depth)}}\n`;
      await expect(collect(readTrajectories(streamOf(`\n${line}`)))).rejects.toMatchObject({
        code: "invalid_record",
        fields: { line: 2 },
      });
    }
  });
});
