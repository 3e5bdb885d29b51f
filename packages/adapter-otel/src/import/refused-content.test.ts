import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  capturedSpans,
  changed,
  jsonLine,
  jsonLogLine,
  logRecords,
  recorderWithSpans,
} from "./asv-spans.test-support.ts";
import { imported } from "./importing.test-support.ts";

describe("what must never be read", () => {
  it("takes no gold, score or verdict from a span's attributes or log records", async () => {
    const planted = {
      "asv.task.gold_candidate_id": "canary-gold",
      "asv.gold.id": "canary-gold",
      "asv.score.margin": 4,
      "gen_ai.evaluation.name": "canary-gold",
      "asv.trajectory.success": true,
    };
    const spans = capturedSpans(1).map((span) => changed(span, planted));
    const logs = logRecords([
      {
        eventName: "gen_ai.evaluation.result",
        body: "canary-gold",
        attributes: { "gen_ai.evaluation.name": "canary-gold" },
      },
    ]);
    const { lines, report } = await imported([jsonLine(spans), jsonLogLine(logs)]);
    expect(report).toMatchObject({ outcome: "complete", logs: { refused: 1 } });
    expect(lines.join()).not.toContain("canary-gold");
    expect(JSON.stringify(report)).not.toContain("canary-gold");
  });

  it("projects the states and details of a writer that is not the toolkit", async () => {
    const secret = `sk-proj-${"aB3dE5fG7hJ9kL1m".repeat(3)}`;
    const state = { note: `the key is ${secret}`, gold_answer: "canary-gold" };
    const text = JSON.stringify(state);
    const { tracerProvider, spans } = recorderWithSpans();
    const tracer = tracerProvider.getTracer("somebody");
    tracer
      .startSpan("asv.step", {
        attributes: {
          "asv.trajectory.id": "r",
          "asv.step.id": "s",
          "asv.step.action": `call ${secret}`,
          "asv.state.after": text,
          "asv.state.after.length": text.length,
          "asv.step.detail": JSON.stringify({ action: { type: "t" }, extra: { gold_answer: "canary-gold" } }),
        },
      })
      .end();
    const { lines, trajectories, report } = await imported(jsonLine(spans()));
    expect(trajectories[0]!.steps[0]!.stateAfter).toBeDefined();
    expect(report.states.unverified).toBe(1);
    expect(report.warningCounts).toMatchObject({ redacted: 1 });
    for (const hidden of [secret, "canary-gold"]) expect(lines.join()).not.toContain(hidden);
  });

  it("projects a state that somebody else's log record carries for the toolkit's own spans", async () => {
    const secret = `sk-proj-${"aB3dE5fG7hJ9kL1m".repeat(3)}`;
    const text = `{"note":"the key is ${secret}"}`;
    const { recorder, spans } = recorderWithSpans();
    recorder
      .trajectory({ id: "r" })
      .step({ action: { type: "a" }, before: {} })
      .end({ after: {} });
    recorder.trajectory({ id: "r" }).close({ status: "complete" });
    const sha256 = createHash("sha256").update(text).digest("hex");
    const pointing = spans().map((span) =>
      span.name === "asv.step"
        ? changed(span, { "asv.state.after": undefined, "asv.state.after.sha256": sha256 })
        : span,
    );
    const log = logRecords(
      [{ eventName: "asv.state", body: text, attributes: { "asv.state.sha256": sha256 } }],
      "somebody",
    );
    const { lines, report } = await imported([jsonLine(pointing), jsonLogLine(log)]);
    expect(report.states.log).toBe(1);
    expect(report.warningCounts).toMatchObject({ redacted: 1 });
    expect(lines.join()).not.toContain(secret);
  });

  it("redacts what code inside a step said of its failure, even on the toolkit's own span", async () => {
    const secret = `sk-proj-${"aB3dE5fG7hJ9kL1m".repeat(3)}`;
    const { recorder, spans } = recorderWithSpans();
    const run = recorder.trajectory({ id: "r" });
    run.step({ action: { type: "a" } }).end({ error: new Error("x") });
    run.close({ status: "complete" });
    const said = spans().map((span) =>
      span.name === "asv.step"
        ? Object.assign(Object.create(span) as typeof span, {
            status: { code: 2, message: `Error: ${secret} was refused` },
          })
        : span,
    );
    const { lines, trajectories } = await imported(jsonLine(said));
    expect(lines.join()).not.toContain(secret);
    expect(trajectories[0]!.steps[0]!.extra).toMatchObject({
      status: "error",
      error: { name: "Error", message: expect.stringContaining("was refused") },
    });
  });
});
