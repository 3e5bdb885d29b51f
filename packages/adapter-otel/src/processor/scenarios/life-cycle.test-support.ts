import assert from "node:assert/strict";
import { ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { readBack, rig, runSteps, type Scenario } from "./scenario.test-support.ts";

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** How trajectories begin and end, and in which order their steps stand. */
export const lifeCycleScenarios: Scenario[] = [
  {
    // open-telemetry/opentelemetry-js 852, 3434, 6816
    name: "a clock that jumps back 60 s, and 20 steps within 1 ms: in order of index, no negative duration",
    async run(kit, path) {
      const { recorder, processor, file } = rig(kit, path("a.jsonl"));
      const ours = recorder();
      const run = ours.trajectory({ id: "t" });
      const { now } = Date;
      try {
        for (let i = 0; i < 20; i++) {
          const step = run.step({ action: { type: "a" }, before: { n: i } });
          if (i === 5) Date.now = () => now() - 60_000;
          step.end({ after: { n: i + 1 } });
        }
      } finally {
        Date.now = now;
      }
      run.close();
      await ours.shutdown();
      await processor.shutdown();
      const { steps } = (await readBack(file)).runs[0]!;
      assert.deepEqual(
        steps.map(({ index, stateAfter }) => [index, JSON.stringify(stateAfter).includes(`"${index + 1}"`)]),
        steps.map((_, i) => [i, true]),
      );
      for (const { cost } of steps) assert.ok((cost["latency_ms"] as number) >= 0);
    },
  },
  {
    // the same, from a writer that leaves the times to the SDK
    name: "a clock that jumps back while spans of another writer run: in order of index, no negative duration",
    async run(kit, path) {
      const { provider, processor, file } = rig(kit, path("a.jsonl"));
      const tracer = provider.getTracer("another");
      const { now } = Date;
      try {
        for (let i = 0; i < 20; i++) {
          Date.now = () => now() - i * 60_000;
          const attributes = { "asv.trajectory.id": "t", "asv.step.index": 19 - i, "asv.step.action": "a" };
          tracer.startSpan("asv.step", { attributes }, ROOT_CONTEXT).end();
        }
      } finally {
        Date.now = now;
      }
      await processor.shutdown();
      const { steps } = (await readBack(file)).runs[0]!;
      assert.deepEqual(
        steps.map(({ index, extra }) => [index, extra!["commit_index"]]),
        steps.map((_, i) => [i, 19 - i]),
      );
      for (const { cost } of steps) assert.ok((cost["latency_ms"] as number) >= 0);
    },
  },
  {
    // Arize-ai/openinference 2515
    name: "10,000 streams that are never read, so that their spans never end: closed in turn, memory flat",
    async run(kit, path) {
      const { provider, processor, file, problems } = rig(kit, path("a.jsonl"), {
        processor: { maxOpenTrajectories: 100 },
      });
      const tracer = provider.getTracer("another");
      for (let i = 0; i < 10_000; i++) {
        const run = tracer.startSpan("asv.trajectory", { attributes: { "asv.trajectory.id": `t${i}` } });
        const attributes = { "asv.trajectory.id": `t${i}`, "asv.step.index": 0, "asv.step.action": "stream" };
        tracer.startSpan("asv.step", { attributes }, trace.setSpan(ROOT_CONTEXT, run));
        assert.ok(processor.openTrajectories <= 100);
      }
      assert.deepEqual(problems, ["evicted"]);
      await processor.shutdown();
      const { runs } = await readBack(file);
      const statuses = runs.map(({ status }) => status);
      assert.equal(runs.length, 10_000);
      assert.equal(statuses.filter((status) => status === "partial:evicted").length, 9900);
      assert.equal(statuses.filter((status) => status === "partial:shutdown").length, 100);
      assert.equal(runs[0]!.extra!["open_steps"], 1);
    },
  },
  {
    name: "a run of which nothing is heard: closed as partial:idle, its last step kept as late",
    async run(kit, path) {
      const { provider, processor, file } = rig(kit, path("a.jsonl"), { processor: { maxOpenMs: 20 } });
      const tracer = provider.getTracer("another");
      const root = tracer.startSpan("asv.trajectory", { attributes: { "asv.trajectory.id": "t" } });
      const begin = (index: number) =>
        tracer.startSpan(
          "asv.step",
          { attributes: { "asv.trajectory.id": "t", "asv.step.index": index, "asv.step.action": "a" } },
          trace.setSpan(ROOT_CONTEXT, root),
        );
      begin(0).end();
      const slow = begin(1);
      for (let i = 0; i < 100 && processor.openTrajectories > 0; i++) await wait(10);
      assert.equal(processor.openTrajectories, 0);
      slow.end();
      root.end();
      await processor.shutdown();
      const { runs } = await readBack(file);
      assert.deepEqual(
        runs.map(({ status, steps }) => [status, steps.map(({ extra }) => extra!["late"] ?? false)]),
        [["partial:idle", [false, true]]],
      );
      assert.equal(runs[0]!.extra!["open_steps"], 1);
    },
  },
  {
    name: "the trajectory's span ends before its steps: the steps are kept as late",
    async run(kit, path) {
      const { recorder, processor, file } = rig(kit, path("a.jsonl"));
      const ours = recorder();
      const run = ours.trajectory({ id: "t" });
      const step = run.step({ action: { type: "slow" }, before: { n: 0 } });
      run.close({ status: "aborted" });
      step.end({ after: { n: 1 } });
      run.step({ action: { type: "after" } }).end({ after: { n: 2 } });
      await ours.shutdown();
      await processor.shutdown();
      const { runs, warnings } = await readBack(file);
      assert.deepEqual(warnings, []);
      assert.equal(runs[0]!.status, "aborted");
      assert.deepEqual(
        runs[0]!.steps.map(({ extra }) => extra!["late"]),
        [true, true],
      );
    },
  },
  {
    name: "the trajectory's span is missing, being another process's: steps are kept under its id",
    async run(kit, path) {
      const { provider, processor, file } = rig(kit, path("a.jsonl"));
      const tracer = provider.getTracer("another");
      const remote = trace.setSpanContext(ROOT_CONTEXT, {
        traceId: "0af7651916cd43dd8448eb211c80319c",
        spanId: "b7ad6b7169203331",
        traceFlags: 1,
        isRemote: true,
      });
      for (const index of [3, 4]) {
        const attributes = { "asv.trajectory.id": "t", "asv.step.index": index, "asv.step.action": "a" };
        tracer.startSpan("asv.step", { attributes }, remote).end();
      }
      await processor.shutdown();
      const { runs } = await readBack(file);
      assert.deepEqual(
        runs.map(({ trajectoryId, status, steps, extra }) => [
          trajectoryId,
          status,
          steps.map(({ index }) => index),
          extra!["synthetic"],
          extra!["trace_id"],
        ]),
        [["t", "partial:shutdown", [3, 4], true, "0af7651916cd43dd8448eb211c80319c"]],
      );
    },
  },
  {
    name: "a run is interrupted and goes on under a second span: one open and one close record",
    async run(kit, path) {
      const { recorder, processor, file } = rig(kit, path("a.jsonl"));
      const ours = recorder(path("capture.jsonl"));
      const first = ours.trajectory({ id: "t" });
      first
        .step({ action: { type: "ask" }, before: { n: 0 } })
        .end({ after: { n: 1 }, status: "interrupted" });
      first.close({ status: "interrupted" });
      runSteps(ours, "other", 1);
      const second = ours.trajectory({ id: "t" });
      second.step({ action: { type: "go on" } }).end({ after: { n: 2 } });
      second.close();
      ours.trajectory({ id: "left" }).close({ status: "interrupted" });
      await ours.shutdown();
      await processor.shutdown();
      for (const written of [file, path("capture.jsonl")]) {
        const { runs, warnings } = await readBack(written);
        assert.deepEqual(warnings, []);
        const found = runs.map(
          ({ trajectoryId, status, steps }) => `${trajectoryId} ${status} ${steps.length}`,
        );
        found.sort();
        assert.deepEqual(found, ["left interrupted 0", "other complete 1", "t complete 2"]);
      }
    },
  },
];
