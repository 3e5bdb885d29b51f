import assert from "node:assert/strict";
import { neighbour, readBack, rig, runSteps, type Rig, type Scenario } from "./scenario.test-support.ts";
import type { KitProcessor } from "./otel-kit.test-support.ts";

const boom = (): never => {
  throw new Error("neighbour");
};
const isStep = ({ name }: { name: string }): boolean => name === "asv.step";

const throwing: Record<string, KitProcessor> = {
  "onEnd of every span": neighbour({ onEnd: boom }),
  "onEnd of steps": neighbour({ onEnd: (span) => void (isStep(span) && boom()) }),
  "onEnding behind ours": neighbour({ onEnding: boom }),
};
const slow = neighbour({
  onStart: () => spin(1),
  onEnd: () => spin(1),
  forceFlush: () => new Promise((resolve) => setTimeout(resolve, 20)),
  shutdown: () => new Promise((resolve) => setTimeout(resolve, 20)),
});
/** Work that is begun in `onEnd` and goes on later, as a masking or queueing processor does. */
const stalling = neighbour({
  onEnd: () => void new Promise((resolve) => setTimeout(resolve, 5)).then(() => undefined),
});

function spin(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

async function allWritten(made: Rig): Promise<void> {
  const ours = made.recorder();
  runSteps(ours, "1", 20);
  runSteps(ours, "2", 20);
  await ours.shutdown();
  const report = await made.processor.shutdown();
  assert.deepEqual([report.written, report.dropped, report.errors], [40, 0, []]);
  const { runs, warnings } = await readBack(made.file);
  assert.deepEqual(warnings, []);
  assert.deepEqual(
    runs.map(({ steps, status }) => [steps.length, status]),
    [
      [20, "complete"],
      [20, "complete"],
    ],
  );
}

/** Other span processors on the same provider. langfuse/langfuse-js 832 */
export const neighbourScenarios: Scenario[] = [
  ...Object.entries(throwing).map(([where, processor]): Scenario => ({
    name: `another processor throws in ${where}: behind ours all steps are written`,
    run: (kit, path) => allWritten(rig(kit, path("a.jsonl"), { after: [processor] })),
  })),
  ...Object.entries(throwing)
    .filter(([where]) => where.startsWith("onEnd of"))
    .map(([where, processor]): Scenario => ({
      name: `another processor throws in ${where}: before ours all steps are written`,
      run: (kit, path) => allWritten(rig(kit, path("a.jsonl"), { before: [processor] })),
    })),
  {
    name: "slow and stalling processors on both sides: all steps are written",
    run: (kit, path) =>
      allWritten(rig(kit, path("a.jsonl"), { before: [slow, stalling], after: [stalling, slow] })),
  },
  {
    name: "another processor throws in onStart, so that no span comes to be: the recorder's own file has every step",
    async run(kit, path) {
      const broken = neighbour({ onStart: (span) => void (isStep(span) && boom()) });
      const { recorder, processor, file } = rig(kit, path("a.jsonl"), { before: [broken] });
      const ours = recorder(path("capture.jsonl"));
      runSteps(ours, "t", 5);
      await ours.shutdown();
      await processor.shutdown();
      const [bySpan, byFile] = [await readBack(file), await readBack(path("capture.jsonl"))];
      assert.equal(byFile.runs[0]!.steps.length, 5);
      // The trajectory's own span says how many there were.
      assert.deepEqual(bySpan.runs[0]!.steps, []);
      assert.equal(bySpan.runs[0]!.extra!["missing_steps"], 5);
    },
  },
  {
    name: "the hooks of ours never throw and its flush never rejects, whatever it is given",
    async run(kit, path) {
      const { processor } = rig(kit, path("a.jsonl"));
      const hostile = new Proxy({} as never, {
        get(_, key) {
          if (key === "name") return "asv.step";
          throw new Error("no");
        },
      });
      for (const given of [hostile, {}, { name: "asv.step" }, { name: "asv.trajectory", attributes: null }]) {
        processor.onStart(given as never);
        processor.onEnding(given as never);
        processor.onEnd(given as never);
      }
      assert.equal((await processor.forceFlush()).written, 0);
      const report = await processor.shutdown();
      assert.equal(report.dropped, 2);
      assert.deepEqual(
        report.errors.map(({ problem }) => problem),
        ["internal"],
      );
      await processor.shutdown();
    },
  },
];
