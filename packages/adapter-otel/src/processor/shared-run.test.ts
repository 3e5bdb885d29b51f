import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packTrajectories } from "@agent-step-value/sdk/jsonl";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { end, spanIdOf, startAndEnd, stepSpan, trajectorySpan } from "./fake-span.test-support.ts";
import { asvSpanProcessor, type ProcessedSpan } from "./index.ts";
import { readBack } from "./scenarios/scenario.test-support.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "asv-shared-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const problems: string[] = [];
const STEPS = 6;

/** The spans of one run: each step goes on from the state of the one before. */
function spansOfRun(): { root: ProcessedSpan; steps: ProcessedSpan[] } {
  const attributes = {
    "asv.task.question": "which?",
    "asv.trajectory.status": "complete",
    "asv.trajectory.step_count": STEPS,
    "asv.redaction.count": 0,
  };
  const root = trajectorySpan("t", { attributes });
  const steps = Array.from({ length: STEPS }, (_, i): ProcessedSpan => {
    const states = { before: `s${i}`, after: `s${i + 1}` };
    const span = stepSpan("t", i, states, {
      parent: spanIdOf(root),
      attributes: { "asv.step.commit_index": i },
    });
    const second = 1_800_000_001 + i;
    return { ...span, startTime: [second, 0], endTime: [second, 5_000_000] };
  });
  return { root, steps };
}

/** What the process writes that sees these spans. */
async function written(name: string, seen: readonly ProcessedSpan[], root?: ProcessedSpan): Promise<string> {
  const file = join(folder, name);
  const processor = asvSpanProcessor({ file, onError: ({ problem }) => problems.push(problem) });
  if (root !== undefined) processor.onStart(root);
  for (const span of seen) startAndEnd(processor, span);
  if (root !== undefined) end(processor, root);
  await processor.shutdown();
  return file;
}

describe("a run of which two processes each see a part", () => {
  it("reads, from both files in any order, as the run that one process would have written", async () => {
    const { root, steps } = spansOfRun();
    const alone = await written("alone.jsonl", steps, root);
    const service = await written("service.jsonl", [steps[0]!, steps[1]!, steps[4]!], root);
    const worker = await written("worker.jsonl", [steps[2]!, steps[3]!]);
    const other = await written("other.jsonl", [steps[5]!]);
    const [expected] = (await readBack(alone)).runs;
    expect(expected!.steps).toHaveLength(STEPS);
    const orders = [
      [service, worker, other],
      [other, worker, service],
      [worker, service, other],
    ];
    for (const files of orders) {
      const { runs, warnings } = await readBack(...files);
      expect(runs).toEqual([expected]);
      expect(warnings.map(({ code }) => code)).toEqual(["joined"]);
    }
    const packed = join(folder, "packed.jsonl");
    await packTrajectories([worker, other, service], packed);
    expect((await readBack(packed)).runs).toEqual([expected]);
  });

  it("says what is missing while a file is", async () => {
    const { root, steps } = spansOfRun();
    const service = await written("service.jsonl", steps.slice(0, 2), root);
    const worker = await written("worker.jsonl", steps.slice(2, 5));
    const { runs } = await readBack(worker, service);
    expect(runs).toMatchObject([{ status: "complete", extra: { step_count: 5, missing_steps: 1 } }]);
    const [alone] = (await readBack(worker)).runs;
    expect(alone).toMatchObject({ status: "partial:shutdown", extra: { synthetic: true } });
  });

  it("two runs with one id are told from it", async () => {
    const first = spansOfRun();
    const second = spansOfRun();
    const one = await written("one.jsonl", first.steps, first.root);
    const two = await written(
      "two.jsonl",
      second.steps.slice(0, 1),
      trajectorySpan("t", { traceId: "f".repeat(32) }),
    );
    await expect(readBack(one, two)).rejects.toThrow(
      /differs from the one at .* in task, trace_id\. Either two runs/,
    );
    const again = await written("again.jsonl", second.steps);
    await expect(readBack(one, again)).rejects.toMatchObject({ code: "conflicting_records" });
  });
});
