import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createRecorder } from "@agent-step-value/sdk/capture";
import { ROOT_CONTEXT, trace } from "@opentelemetry/api";
import type { KitExporter } from "./otel-kit.test-support.ts";
import { readBack, rig, type Scenario } from "./scenario.test-support.ts";

const CANARY = "sk-proj-4fKq9ZtW2bXv7LmN8pRs3JhD6yGc1TnE5uVaQx0o";

/** An exporter that keeps all that would leave the process. */
function keeping(): KitExporter & { text: string } {
  return {
    text: "",
    export(spans, done) {
      for (const { name, attributes, status } of spans)
        this.text += JSON.stringify([name, attributes, status]);
      done({ code: 0 });
    },
    shutdown: () => Promise.resolve(),
  };
}

/** What the console was told while `work` ran. */
async function consoleOf(work: () => Promise<void>): Promise<string> {
  const names = ["log", "info", "warn", "error", "debug"] as const;
  const kept = names.map((name) => console[name]);
  let text = "";
  for (const name of names)
    console[name] = (...parts: unknown[]) => void (text += parts.map(String).join(" "));
  try {
    await work();
  } finally {
    names.forEach((name, i) => (console[name] = kept[i]!));
  }
  return text;
}

/** What may leave the process, and what happens to it on the way. */
export const contentScenarios: Scenario[] = [
  {
    // open-telemetry/opentelemetry-python-genai 186, vercel/ai 2473
    name: "a secret in states, arguments, question, error and metadata: on no span, in no file, in no message",
    async run(kit, path) {
      const exporter = keeping();
      const said = await consoleOf(async () => {
        const { provider, processor, file } = rig(kit, path("a.jsonl"), { after: [kit.simple(exporter)] });
        const errors: string[] = [];
        const recorder = createRecorder({
          file: path("capture.jsonl"),
          tracerProvider: provider,
          onError: (error) => errors.push(String(error)),
        });
        const run = recorder.trajectory({
          id: "t",
          task: { question: `why does ${CANARY} fail?`, id: CANARY },
          metadata: { note: CANARY },
        });
        const state = { api_key: CANARY, messages: [{ role: "user", content: `my key is ${CANARY}` }] };
        run
          .step({ action: { type: `call ${CANARY}`, args: CANARY }, before: state })
          .end({ after: { ...state, n: 1 }, error: new Error(`rejected ${CANARY}`), observation: CANARY });
        run.close({ status: "error" });
        await recorder.shutdown();
        assert.equal((await processor.shutdown()).written, 1);
        const text = [file, path("capture.jsonl")].map((name) => readFileSync(name, "utf8")).join("");
        for (const place of [text, exporter.text, errors.join()]) assert.ok(!place.includes(CANARY));
        assert.ok(text.includes("my key is [SECRET:"), "the states are there, redacted");
      });
      assert.ok(!said.includes(CANARY));
    },
  },
  {
    name: "states kept off the spans: digests alone reach processor and exporter",
    async run(kit, path) {
      const exporter = keeping();
      const { provider, processor, file } = rig(kit, path("a.jsonl"), { after: [kit.simple(exporter)] });
      const recorder = createRecorder({ file: false, tracerProvider: provider, states: "digest" });
      const run = recorder.trajectory({ id: "t", task: { question: "about the steward" } });
      run
        .step({ action: { type: "a" }, before: { text: "the steward" } })
        .end({ after: { text: "the steward wrote" } });
      run.close();
      await recorder.shutdown();
      const report = await processor.shutdown();
      assert.deepEqual([report.written, report.withoutText], [1, 1]);
      assert.ok(!exporter.text.includes("steward"));
      assert.ok(!readFileSync(file, "utf8").includes("steward"));
      const [step] = (await readBack(file)).runs[0]!.steps;
      assert.equal(step!.extra!["carrier"], "none");
    },
  },
  {
    name: "another writer's span carries a secret, a target and a state with a success flag: projected, and named attributes only",
    async run(kit, path) {
      const { provider, processor, file } = rig(kit, path("a.jsonl"));
      const tracer = provider.getTracer("someone-else");
      const root = tracer.startSpan("asv.trajectory", {
        attributes: {
          "asv.trajectory.id": "t",
          "asv.task.question": `does ${CANARY} work?`,
          "asv.task.id": "q",
          "asv.gold": "cand-2",
          "asv.gold.id": "cand-2",
          gold_candidate_id: "cand-2",
          "asv.trajectory.success": true,
        },
      });
      const state = JSON.stringify({ notes: `key ${CANARY}`, gold_answer: "the green lamp", success: true });
      const step = tracer.startSpan(
        "asv.step",
        {
          attributes: {
            "asv.trajectory.id": "t",
            "asv.step.action": `use ${CANARY}`,
            "asv.step.index": 0,
            "asv.state.before": JSON.stringify({ notes: "none yet" }),
            "asv.state.after": state,
            "asv.gold.margin": 0.7,
          },
        },
        trace.setSpan(ROOT_CONTEXT, root),
      );
      step.setStatus({ code: 2, message: `bad ${CANARY}` });
      step.end();
      root.end();
      const report = await processor.shutdown();
      assert.deepEqual([report.written, report.damaged, report.errors], [1, 0, []]);
      const text = readFileSync(file, "utf8");
      for (const unwanted of [CANARY, "green lamp", "cand-2", 'gold"', "0.7"]) {
        assert.ok(!text.includes(unwanted), unwanted);
      }
      const { task, steps, redaction } = (await readBack(file)).runs[0]!;
      assert.match(task.question, /^does \[SECRET:[a-z-]+:1\] work\?$/);
      assert.deepEqual(steps[0]!.stateBefore, { notes: "none yet" });
      assert.match(steps[0]!.stateAfter!["notes"] as string, /^key \[SECRET:[a-z-]+:1\]$/);
      assert.match(steps[0]!.action["type"] as string, /^use \[SECRET:[a-z-]+:1\]$/);
      assert.ok(Object.keys(redaction!.hits).length > 0);
    },
  },
  {
    // open-telemetry/opentelemetry-collector 6046, langfuse/langfuse-js 928
    name: "600 steps of 60 KB, and a collector that answers 413: every state is in the recorder's file, and the spans' file counts what it lacks",
    async run(kit, path) {
      const server = createServer((request, response) => {
        request.resume().on("end", () => response.writeHead(413).end("too large"));
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`;
      try {
        const { recorder, processor, provider, problems, file } = rig(kit, path("a.jsonl"), {
          after: [kit.batch(kit.otlpExporter({ url, timeoutMillis: 2000 }))],
        });
        const ours = recorder(path("capture.jsonl"));
        const run = ours.trajectory({ id: "t" });
        const large = "word ".repeat(12_000).slice(0, 60_000);
        for (let i = 0; i < 600; i++) {
          run
            .step({ action: { type: "a" }, before: { text: `${large}${i}` } })
            .end({ after: { text: `${large}${i + 1}` } });
        }
        run.close();
        await ours.shutdown();
        const report = await processor.forceFlush();
        assert.deepEqual([report.written, report.withoutText, report.dropped], [600, 600, 0]);
        assert.deepEqual(problems, ["no_state_text"]);
        await provider.shutdown().catch(() => undefined);
        const [bySpan, byFile] = [await readBack(file), await readBack(path("capture.jsonl"))];
        assert.equal(bySpan.runs[0]!.steps.length, 600);
        assert.equal(byFile.runs[0]!.steps.filter(({ stateAfter }) => stateAfter !== undefined).length, 600);
      } finally {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  },
  {
    name: "spans that are no asv.* spans, even with a trajectory's id: nothing is written, no file made",
    async run(kit, path) {
      const { provider, processor, file } = rig(kit, path("a.jsonl"));
      const tracer = provider.getTracer("host");
      for (let i = 0; i < 100; i++) {
        tracer
          .startSpan("chat model", { attributes: { "asv.trajectory.id": "t", "asv.step.action": "a" } })
          .end();
      }
      assert.equal(processor.openTrajectories, 0);
      assert.deepEqual(await processor.shutdown(), {
        written: 0,
        dropped: 0,
        damaged: 0,
        withoutText: 0,
        errors: [],
      });
      assert.equal(existsSync(file), false);
    },
  },
];
