import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stateSha256, type State, type Trajectory } from "@agent-step-value/sdk";
import type { CloseOptions, StepCapture, TrajectoryCapture } from "@agent-step-value/sdk/capture";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { kit } from "./scenarios/otel-kit-2.test-support.ts";
import { readBack, rig } from "./scenarios/scenario.test-support.ts";

let folder: string;
let programs = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "asv-same-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const id = fc.constantFrom("t", "u", "v");
const state = fc.constantFrom(undefined, "a", "b", "c");
const status: fc.Arbitrary<CloseOptions["status"]> = fc.constantFrom(
  "complete",
  "error",
  "interrupted",
  "aborted",
);

/** What a host may do, in any order: runs side by side, steps side by side, late ones, second runs of an id. */
const program = fc.array(
  fc.oneof(
    fc.record({ does: fc.constant("open" as const), id }),
    fc.record({ does: fc.constant("begin" as const), id, before: state }),
    fc.record({ does: fc.constant("end" as const), which: fc.nat(5), after: state, fails: fc.boolean() }),
    fc.record({ does: fc.constant("close" as const), id, status }),
  ),
  { maxLength: 40 },
);

/** All that both files say of a run. */
function facts(run: Trajectory): unknown {
  const digest = (held: State | undefined): string | undefined => held && stateSha256(held);
  return {
    id: run.trajectoryId,
    status: run.status,
    stepCount: run.extra!["step_count"],
    steps: run.steps.map(({ stepId, index, action, stateBefore, stateAfter, discontinuity, extra }) => ({
      stepId,
      index,
      type: action["type"],
      before: digest(stateBefore),
      after: digest(stateAfter),
      discontinuity,
      status: extra!["status"],
      error: extra!["error"],
      commit: extra!["commit_index"],
      late: extra!["late"],
      concurrent: extra!["concurrent"],
    })),
  };
}

describe("whatever a recorder is asked to record", () => {
  it("its spans give the file that it writes itself", async () => {
    await fc.assert(
      fc.asyncProperty(program, async (actions) => {
        const [bySpan, byFile] = [join(folder, `${programs}.a.jsonl`), join(folder, `${programs++}.b.jsonl`)];
        const { recorder, processor } = rig(kit, bySpan);
        const ours = recorder(byFile);
        const runs = new Map<string, TrajectoryCapture>();
        const steps: StepCapture[] = [];
        let n = 0;
        // At least one, so that both files are there.
        ours.trajectory({ id: "first" }).close();
        for (const action of actions) {
          if (action.does === "open") runs.set(action.id, ours.trajectory({ id: action.id }));
          else if (action.does === "begin") {
            const { before } = action;
            const step = runs.get(action.id)?.step({
              action: { type: `act${n++ % 3}` },
              ...(before !== undefined && { before: { notes: before } }),
            });
            if (step !== undefined) steps.push(step);
          } else if (action.does === "end") {
            const { after, fails } = action;
            steps[action.which]?.end({
              ...(after !== undefined && { after: { notes: after } }),
              ...(fails && { error: new TypeError("it failed") }),
            });
          } else runs.get(action.id)?.close({ status: action.status });
        }
        await ours.shutdown();
        const report = await processor.shutdown();
        expect(report).toMatchObject({ dropped: 0, damaged: 0, withoutText: 0 });
        const [a, b] = [await readBack(bySpan), await readBack(byFile)];
        expect([a.warnings, b.warnings]).toEqual([[], []]);
        const byId = (x: Trajectory, y: Trajectory): number => (x.trajectoryId < y.trajectoryId ? -1 : 1);
        expect(a.runs.toSorted(byId).map(facts)).toEqual(b.runs.toSorted(byId).map(facts));
        rmSync(bySpan);
        rmSync(byFile);
      }),
      { numRuns: 150 },
    );
  });
});
