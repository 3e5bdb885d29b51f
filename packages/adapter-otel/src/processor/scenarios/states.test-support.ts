import assert from "node:assert/strict";
import { stateSha256, type Trajectory } from "@agent-step-value/sdk";
import { readBack, rig, runSteps, type Scenario } from "./scenario.test-support.ts";

const digests = (run: Trajectory): (string | undefined)[] =>
  run.steps.flatMap(({ stateBefore, stateAfter }) => [
    stateBefore && stateSha256(stateBefore),
    stateAfter && stateSha256(stateAfter),
  ]);

/** State texts on their way through a span. */
export const stateScenarios: Scenario[] = [
  {
    // langfuse/langfuse 6517
    name: "a limit cuts attribute values at 64: cut states are left out and marked, the other steps are whole",
    async run(kit, path) {
      const { recorder, processor, problems, file } = rig(kit, path("a.jsonl"), {
        limits: { attributeValueLengthLimit: 64 },
      });
      const ours = recorder();
      const run = ours.trajectory({ id: "t" });
      const long = { notes: "word ".repeat(30) };
      run.step({ action: { type: "a" }, before: { n: 0 } }).end({ after: long });
      run.step({ action: { type: "b" }, before: long }).end({ after: { n: 2 } });
      run.step({ action: { type: "c" } }).end({ after: { n: 3 } });
      run.close();
      await ours.shutdown();
      const report = await processor.shutdown();
      assert.deepEqual([report.written, report.damaged, report.dropped], [3, 2, 0]);
      assert.deepEqual(problems, ["damaged_state"]);
      const { runs, warnings } = await readBack(file);
      assert.deepEqual(warnings, []);
      const [first, second, third] = runs[0]!.steps;
      assert.deepEqual(first!.extra!["damaged"], ["state_after"]);
      const declared = (first!.extra!["declared"] as Record<string, Record<string, unknown>>)["state_after"]!;
      const frame = '{"blocks":[{"kind":"reasoning","name":"notes","text":""}]}';
      assert.equal(declared["length"], frame.length + long.notes.length);
      assert.equal(declared["found_length"], 64);
      assert.match(String(declared["sha256"]), /^[0-9a-f]{64}$/);
      assert.deepEqual(second!.extra!["damaged"], ["state_before"]);
      assert.equal(second!.stateBefore, undefined);
      assert.deepEqual(third!.stateBefore, second!.stateAfter);
      assert.equal(third!.extra!["damaged"], undefined);
    },
  },
  {
    name: "a limit cuts attribute values at 30, ids too: steps are dropped with a reason, not mixed",
    async run(kit, path) {
      const { recorder, processor, problems } = rig(kit, path("a.jsonl"), {
        limits: { attributeValueLengthLimit: 30 },
      });
      const ours = recorder();
      runSteps(ours, "run-of-a-very-long-name-number-1", 3);
      runSteps(ours, "run-of-a-very-long-name-number-2", 3);
      await ours.shutdown();
      const report = await processor.shutdown();
      assert.deepEqual([report.written, report.dropped], [0, 6]);
      assert.ok(problems.includes("unusable_id"));
    },
  },
  {
    name: "a span may keep 6 attributes: the step is kept, and says which states it may have lost",
    async run(kit, path) {
      const { recorder, processor, file } = rig(kit, path("a.jsonl"), { limits: { attributeCountLimit: 6 } });
      const ours = recorder();
      runSteps(ours, "t", 2);
      await ours.shutdown();
      const report = await processor.shutdown();
      assert.deepEqual([report.written, report.damaged], [2, 2]);
      const { runs } = await readBack(file);
      for (const { extra, stateAfter } of runs[0]!.steps) {
        assert.equal(stateAfter, undefined);
        assert.ok((extra!["damaged"] as string[]).includes("state_after"));
      }
    },
  },
  {
    // open-telemetry/opentelemetry-js 4871, 7071
    name: "nested objects, mixed arrays, null, Date, bigint, a cycle, half a surrogate pair: equal digests by file and by span",
    async run(kit, path) {
      const { recorder, processor, file } = rig(kit, path("a.jsonl"));
      const ours = recorder(path("capture.jsonl"));
      const cycle: Record<string, unknown> = { name: "loop" };
      cycle["self"] = cycle;
      const states: unknown[] = [
        { plan: { deep: [{ a: [1, "two", null, { three: true }] }] }, none: null, empty: {}, list: [] },
        { when: new Date(0), big: 12_345_678_901_234_567_890n, cycle, map: new Map([["k", 1]]) },
        { text: "half \ud800 pair, \u2028 and \u0085 and\nline\r\nfeeds \u{1d11e}", nan: Number.NaN },
        { ["__proto__"]: 1, constructor: { prototype: 2 }, bytes: new Uint8Array([1, 2, 3]) },
      ];
      const run = ours.trajectory({ id: "t" });
      for (let i = 0; i + 1 < states.length; i++) {
        run.step({ action: { type: "a" }, before: states[i] }).end({ after: states[i + 1] });
      }
      run.close();
      await ours.shutdown();
      assert.deepEqual((await processor.shutdown()).errors, []);
      const [bySpan, byFile] = [await readBack(file), await readBack(path("capture.jsonl"))];
      assert.deepEqual([bySpan.warnings, byFile.warnings], [[], []]);
      assert.deepEqual(digests(bySpan.runs[0]!), digests(byFile.runs[0]!));
      assert.equal(new Set(digests(bySpan.runs[0]!)).size, 4);
    },
  },
  {
    name: "states beyond 16,384 characters are on no span: the step has the digest, and one message tells where to find them",
    async run(kit, path) {
      const { recorder, processor, problems, file } = rig(kit, path("a.jsonl"));
      const ours = recorder(path("capture.jsonl"));
      const large = { blocks: [{ kind: "evidence", text: "x".repeat(20_000) }] };
      const run = ours.trajectory({ id: "t" });
      run.step({ action: { type: "a" }, before: { n: 0 } }).end({ after: large });
      run.step({ action: { type: "b" } }).end({ after: { n: 1 } });
      run.close();
      await ours.shutdown();
      const report = await processor.shutdown();
      assert.deepEqual([report.written, report.withoutText, report.damaged], [2, 2, 0]);
      assert.deepEqual(problems, ["no_state_text"]);
      const [bySpan, byFile] = [await readBack(file), await readBack(path("capture.jsonl"))];
      const [first, second] = bySpan.runs[0]!.steps;
      const declared = first!.extra!["declared"] as Record<string, Record<string, unknown>>;
      assert.equal(declared["state_after"]!["sha256"], digests(byFile.runs[0]!)[1]);
      assert.equal(first!.extra!["carrier"], "local");
      assert.equal(first!.stateAfter, undefined);
      assert.equal(second!.stateBefore, undefined);
      assert.deepEqual(second!.stateAfter, byFile.runs[0]!.steps[1]!.stateAfter);
    },
  },
];
