import assert from "node:assert/strict";
import { ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { asvRecordAll } from "../index.ts";
import { readBack, rig, runSteps, type Scenario } from "./scenario.test-support.ts";
import type { KitExporter } from "./otel-kit.test-support.ts";

const UNSAMPLED = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331", traceFlags: 0 };

/** An exporter that counts and succeeds. */
function counting(): KitExporter & { spans: number } {
  return {
    spans: 0,
    export(spans, done) {
      this.spans += spans.length;
      done({ code: 0 });
    },
    shutdown: () => Promise.resolve(),
  };
}

/** Steps that a queue, a sampler or a dead collector would lose. */
export const lossScenarios: Scenario[] = [
  {
    // open-telemetry/opentelemetry-js 3772, 4184
    name: "of 10,000 steps that end in one tick a batch queue keeps 2,048: the file has all",
    async run(kit, path) {
      const exporter = counting();
      const { recorder, processor, provider, file } = rig(kit, path("a.jsonl"), {
        after: [kit.batch(exporter)],
      });
      const ours = recorder(path("capture.jsonl"));
      runSteps(ours, "t", 10_000);
      const report = processor.report();
      assert.deepEqual(
        { ...report, errors: report.errors.length },
        { written: 10_000, dropped: 0, damaged: 0, withoutText: 0, errors: 0 },
      );
      await provider.forceFlush();
      assert.ok(exporter.spans < 10_000, `the queue kept ${exporter.spans}`);
      for (const written of [file, path("capture.jsonl")]) {
        const { runs, warnings } = await readBack(written);
        assert.deepEqual(warnings, []);
        const indices = runs.flatMap(({ steps }) => steps.map(({ index }) => index));
        assert.deepEqual(
          indices,
          Array.from({ length: 10_000 }, (_, i) => i),
        );
      }
      await ours.shutdown();
      await provider.shutdown();
    },
  },
  {
    name: "a parent that is not sampled takes everything under it along: asvRecordAll shows it to the processor",
    async run(kit, path) {
      const exporter = counting();
      const { recorder, processor, provider, file } = rig(kit, path("a.jsonl"), {
        after: [kit.simple(exporter)],
        sampler: asvRecordAll(kit.parentBased(kit.alwaysOff())),
      });
      const ours = recorder();
      const parent = trace.setSpanContext(ROOT_CONTEXT, UNSAMPLED);
      const run = ours.trajectory({ id: "t", parentContext: parent });
      run.step({ action: { type: "a" }, before: { n: 0 } }).end({ after: { n: 1 } });
      run.close();
      const host = provider.getTracer("host").startSpan("host");
      assert.equal(host.isRecording(), false, "other spans are sampled as before");
      host.end();
      await ours.shutdown();
      await processor.shutdown();
      assert.equal(exporter.spans, 0, "nothing is exported");
      const { runs } = await readBack(file);
      assert.deepEqual(
        runs.map(({ trajectoryId, steps, status }) => [trajectoryId, steps.length, status]),
        [["t", 1, "complete"]],
      );
    },
  },
  {
    name: "a parent that is not sampled, without asvRecordAll: the recorder's own file has everything",
    async run(kit, path) {
      const { recorder, processor, file } = rig(kit, path("a.jsonl"), { sampler: kit.alwaysOff() });
      const ours = recorder(path("capture.jsonl"));
      runSteps(ours, "t", 5);
      assert.equal((await ours.shutdown()).otel, "unsampled");
      assert.equal((await processor.shutdown()).written, 0);
      await assert.rejects(readBack(file), { code: "unreadable_source" });
      assert.equal((await readBack(path("capture.jsonl"))).runs[0]!.steps.length, 5);
    },
  },
  {
    // open-telemetry/opentelemetry-js 3740; bench/otel-exporter does it with 100,000
    name: "an exporter that hangs while 5,000 steps end: all are written, flushing returns",
    async run(kit, path) {
      const hanging: KitExporter = {
        export: () => undefined,
        forceFlush: () => new Promise(() => undefined),
        shutdown: () => new Promise(() => undefined),
      };
      const { recorder, processor, file } = rig(kit, path("a.jsonl"), {
        before: [kit.batch(hanging, { scheduledDelayMillis: 1 })],
      });
      const ours = recorder();
      for (let i = 0; i < 50; i++) {
        runSteps(ours, `t${i}`, 100);
        await new Promise(setImmediate);
      }
      // The provider's own forceFlush waits for the exporter; ours does not.
      assert.equal((await processor.forceFlush()).written, 5000);
      await processor.shutdown();
      const { runs } = await readBack(file);
      assert.equal(
        runs.filter(({ steps, status }) => steps.length === 100 && status === "complete").length,
        50,
      );
    },
  },
];
