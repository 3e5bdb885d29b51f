import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { readTrajectories } from "../jsonl/index.ts";
import type { State } from "../schema/index.ts";
import { createRecorder } from "./recorder.ts";
import { SAME_AS_BEFORE } from "./snapshot.ts";
import type { StepCapture } from "./trajectory-capture.ts";

const folder = mkdtempSync(join(tmpdir(), "asv-chain-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Few different states, so that they often meet again. */
const state = fc.integer({ min: 0, max: 2 });
const unreadable = new Proxy(
  {},
  {
    get: () => {
      throw new Error("trap");
    },
  },
) as never;
const operation = fc.oneof(
  fc.record({ does: fc.constant("begin" as const), before: fc.option(state, { nil: undefined }) }),
  fc.record({
    does: fc.constant("end" as const),
    which: fc.nat({ max: 3 }),
    after: fc.oneof(
      state,
      fc.constant("same" as const),
      fc.constant("unknown" as const),
      fc.constant("fails" as const),
    ),
  }),
  fc.record({ does: fc.constant("interrupt" as const) }),
);

interface Expected {
  index: number;
  before: number | undefined;
  after: number | undefined;
}

const number = (read: State | undefined): number | undefined => {
  const blocks = read?.["blocks"] as { text: string }[] | undefined;
  return blocks === undefined ? undefined : Number(blocks[0]!.text);
};

it("whatever order steps begin and end in, the file reads back with every state it was given", async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 14 }), async (operations) => {
      const file = join(folder, `${runs++}.jsonl`);
      const recorder = createRecorder({ file, onError: () => undefined });
      let run = recorder.trajectory({ id: "t" });
      const open: { step: StepCapture; before: number | undefined }[] = [];
      const expected: Expected[] = [];
      let last: number | undefined;
      for (const op of operations) {
        if (op.does === "interrupt") {
          run.close({ status: "interrupted" });
          run = recorder.trajectory({ id: "t" });
        } else if (op.does === "begin") {
          const before = op.before ?? last;
          const given = op.before === undefined ? {} : { before: { n: op.before } };
          open.push({ step: run.step({ action: { type: "a" }, ...given }), before });
        } else if (open.length > 0) {
          const [{ step, before }] = open.splice(op.which % open.length, 1) as [(typeof open)[number]];
          if (op.after === "fails") {
            step.end(unreadable);
            continue;
          }
          const after = op.after === "same" ? before : op.after === "unknown" ? undefined : op.after;
          if (op.after === "same") step.end({ after: SAME_AS_BEFORE });
          else step.end(after === undefined ? {} : { after: { n: after } });
          expected.push({ index: step.index, before, after });
          last = after;
        }
      }
      run.close();
      const report = await recorder.shutdown();
      expect(report.written).toBe(expected.length);

      expected.sort((a, b) => a.index - b.index);
      const read: Expected[] = [];
      for await (const { steps, status } of readTrajectories(file)) {
        expect(status).toBe("complete");
        for (const [place, { index, stateBefore, stateAfter }] of steps.entries()) {
          // Readers give a step without a known before-state the after-state of the one before it.
          const known = expected[place]!.before !== undefined;
          read.push({ index, before: known ? number(stateBefore) : undefined, after: number(stateAfter) });
        }
      }
      expect(read).toEqual(expected);
    }),
    { numRuns: 150 },
  );
});
