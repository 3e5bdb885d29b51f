import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scanTrajectoryRecord, type JsonValue } from "@agent-step-value/sdk";
import { readLines } from "@agent-step-value/sdk/jsonl";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { blocks, end, fakeSpan, spanIdOf, stateAttributes } from "./fake-span.test-support.ts";
import { asvSpanProcessor, type AsvSpanProcessor, type ProcessedSpan } from "./index.ts";
import { readBack } from "./scenarios/scenario.test-support.ts";

let folder: string;
let files = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "asv-spans-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const OWN = "@agent-step-value/sdk";
const SECRET = "sk-proj-4fKq9ZtW2bXv7LmN8pRs3JhD6yGc1TnE5uVaQx0o";

/** Whatever a writer may put where a text, a number or a flag belongs. */
const anything = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    "",
    0,
    -1,
    1.5,
    2 ** 53,
    Number.NaN,
    true,
    [],
    {},
    "x\ny",
    "\ud800",
    SECRET,
  ),
  fc.string({ maxLength: 20, unit: "binary" }),
  fc.nat(12),
);
const id = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom("t", "u", "t.2") },
  { weight: 1, arbitrary: anything.filter((value) => value !== SECRET) },
);
const index = fc.oneof({ weight: 4, arbitrary: fc.nat(6) }, { weight: 1, arbitrary: anything });

/** A state as the recorder writes it, and as other writers and mishaps leave it. */
const stateOf = (side: "before" | "after") =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom("a", "b", "c").map((text) => stateAttributes(side, blocks(text))),
    },
    {
      weight: 2,
      arbitrary: fc
        .dictionary(
          fc.constantFrom("notes", "gold_answer", "draft", "__proto__"),
          fc.jsonValue({ maxDepth: 2 }),
        )
        .map((state) => ({ [`asv.state.${side}`]: JSON.stringify(state) })),
    },
    {
      weight: 2,
      arbitrary: fc
        .record({ text: anything, sha256: anything, length: anything }, { requiredKeys: [] })
        .map((given) => ({
          [`asv.state.${side}`]: given.text,
          [`asv.state.${side}.sha256`]: given.sha256,
          [`asv.state.${side}.length`]: given.length,
        })),
    },
    // A digest of a state that stands elsewhere, or in the step before.
    fc.constantFrom("a", "z").map((text) => {
      const { [`asv.state.${side}`]: _, ...digest } = stateAttributes(side, blocks(text));
      return digest;
    }),
    fc.constant({}),
  );

const others = fc.dictionary(
  fc.constantFrom(
    "asv.step.id",
    "asv.step.parent_id",
    "asv.step.commit_index",
    "asv.step.action",
    "asv.step.kind",
    "asv.step.status",
    "asv.step.attempts",
    "asv.step.late",
    "asv.state.fidelity",
    "asv.state.carrier",
    "asv.gold",
    "asv.gold_candidate_id",
  ),
  anything,
);

const step = fc
  .record({
    id,
    index,
    before: stateOf("before"),
    after: stateOf("after"),
    others,
    scope: fc.constantFrom(OWN, "someone-else"),
    dropped: fc.constantFrom(0, 0, 2),
    code: fc.constantFrom(0, 2),
    message: fc.constantFrom("", "TypeError: no", `bad ${SECRET}`),
  })
  .map((given) => ({
    ...given,
    name: "asv.step",
    attributes: {
      "asv.trajectory.id": given.id,
      "asv.step.index": given.index,
      // The recorder's own contents are redacted; another's may hold anything.
      ...(given.scope !== OWN && given.others),
      ...given.before,
      ...given.after,
    },
  }));

const trajectory = fc
  .record({
    id,
    status: fc.oneof(fc.constantFrom("complete", "interrupted", "error"), anything),
    question: anything,
    version: fc.constantFrom(1, 1, 1, undefined, 2),
    count: anything,
    scope: fc.constantFrom(OWN, "someone-else"),
  })
  .map((given) => ({
    name: "asv.trajectory",
    scope: given.scope,
    dropped: 0,
    code: 0,
    message: "",
    attributes: {
      "asv.trajectory.id": given.id,
      "asv.trajectory.status": given.status,
      "asv.schema.version": given.version,
      "asv.trajectory.step_count": given.count,
      ...(given.scope !== OWN && { "asv.task.question": given.question, "asv.task.id": given.question }),
    },
  }));

/** Spans, and for each when it ends: at once, after some others, or never. */
const program = fc.array(
  fc.record({
    span: fc.oneof({ weight: 3, arbitrary: step }, trajectory),
    lasts: fc.constantFrom(0, 0, 1, 3, 7, 1e9),
  }),
  { maxLength: 40 },
);

function play(
  processor: AsvSpanProcessor,
  spans: typeof program extends fc.Arbitrary<infer T> ? T : never,
): number {
  let stepsEnded = 0;
  const open: { span: ProcessedSpan; until: number }[] = [];
  const finish = (now: number): void => {
    for (const held of open.splice(0)) {
      if (held.until > now) open.push(held);
      else {
        end(processor, held.span);
        if (held.span.name === "asv.step") stepsEnded++;
      }
    }
  };
  let newest: string | undefined;
  spans.forEach(({ span: given, lasts }, now) => {
    const span = fakeSpan(given.name, {
      attributes: given.attributes,
      scope: given.scope,
      droppedAttributesCount: given.dropped,
      status: { code: given.code, message: given.message },
      ...(newest !== undefined && { parent: newest }),
    });
    processor.onStart(span);
    if (given.name === "asv.trajectory") newest = spanIdOf(span);
    open.push({ span, until: now + lasts });
    finish(now);
  });
  finish(spans.length + 10);
  return stepsEnded;
}

describe("whatever spans come", () => {
  it("the file can be read, every step is in it or counted, and it holds no secret and no target", async () => {
    await fc.assert(
      fc.asyncProperty(program, async (spans) => {
        const file = join(folder, `${files++}.jsonl`);
        const processor = asvSpanProcessor({ file, onError: () => undefined, maxOpenTrajectories: 3 });
        const ended = play(processor, spans);
        const report = await processor.shutdown();
        expect(report.errors.filter(({ problem }) => problem === "internal")).toEqual([]);
        expect(report.written + report.dropped).toBe(ended);
        if (!existsSync(file)) {
          expect(report.written).toBe(0);
          return;
        }

        const { runs, warnings } = await readBack(file);
        expect(warnings.filter(({ code }) => code !== "lone_surrogate")).toEqual([]);
        expect(runs.reduce((sum, { steps }) => sum + steps.length, 0)).toBe(report.written);
        const damaged = runs.flatMap(({ steps }) =>
          steps.filter(({ extra }) => extra!["damaged"] !== undefined),
        );
        expect(damaged).toHaveLength(report.damaged);
        for (const { status } of runs) expect(status).not.toBe("partial");
        for await (const { json } of readLines(file)) {
          expect(JSON.stringify(json)).not.toContain(SECRET);
          expect(scanTrajectoryRecord(json as JsonValue)).toEqual([]);
        }
        rmSync(file);
      }),
      { numRuns: 300 },
    );
  });
});
