import { writeFileSync } from "node:fs";
import { decodeTrajectory, encodeTrajectory, type JsonObject } from "@agent-step-value/sdk";
import { fixtureTrajectory } from "@agent-step-value/sdk/testing";
import { describe, expect, it } from "vitest";
import { attributesOf, receiver, recordsOf, setUp } from "./export-otlp.test-support.ts";

describe("asv export --as otlp-evaluations", () => {
  async function scored() {
    const place = setUp(2);
    const words = ["./runs.jsonl", "--evaluator", "lexical", "--protocol", "direct", "--allow-unreviewed"];
    await place.done("score", ...words, "--cache", "./cache", "--out", "./scores.jsonl");
    return place;
  }

  it("writes one record a metric on the span that --as otlp gives the step", async () => {
    const { done, lines, text } = await scored();
    const words = [
      "export",
      "./runs.jsonl",
      "./scores.jsonl",
      "--as",
      "otlp-evaluations",
      "--out",
      "./values.jsonl",
    ];
    const { stderr } = await done(...words);
    expect(stderr).toContain("wrote 18 log records");
    await done("export", "./runs.jsonl", "--as", "otlp", "--out", "./spans.jsonl");
    const places = new Map(
      recordsOf(lines("spans.jsonl"), "Spans").map((span) => {
        const { "asv.trajectory.id": run, "asv.step.id": step } = attributesOf(span);
        return [JSON.stringify([run, step]), [span["traceId"], span["spanId"]]];
      }),
    );
    const values = recordsOf(lines("values.jsonl"), "Logs");
    for (const value of values) {
      const attributes = attributesOf(value);
      expect(value["eventName"]).toBe("gen_ai.evaluation.result");
      const key = JSON.stringify([attributes["asv.trajectory.id"], attributes["asv.step.id"]]);
      expect([value["traceId"], value["spanId"]]).toEqual(places.get(key));
      expect(attributes["asv.evaluator.model"]).toBe("lexical-v1");
      expect(attributes["asv.protocol.digest"]).toMatch(/^rho-[0-9a-f]{16}$/);
    }
    const { goldCandidateId, candidates } = fixtureTrajectory().task.candidateSpace;
    for (const word of [goldCandidateId!, ...candidates.map((candidate) => candidate.text), "harmful"]) {
      expect(text("values.jsonl")).not.toContain(word);
    }
  });

  it("says which steps have no value, and ends with 4", async () => {
    const { asv, at, lines } = await scored();
    const run = lines("runs.jsonl")[0] as JsonObject;
    const trajectory = decodeTrajectory(run, { source: "runs.jsonl", line: 1 });
    delete trajectory.steps[1]!.stateAfter;
    delete trajectory.task.candidateSpace.goldCandidateId;
    writeFileSync(at("less.jsonl"), `${JSON.stringify(encodeTrajectory(trajectory))}\n`);
    const words = [
      "export",
      "./less.jsonl",
      "./scores.jsonl",
      "--as",
      "otlp-evaluations",
      "--out",
      "./v.jsonl",
    ];
    const { status, stderr } = await asv(...words);
    expect(status).toBe(4);
    expect(stderr).toMatch(/steps without a value: asv\.gold_margin_gain 2/);
    expect(stderr).toMatch(/could not be measured have no record: no_state 1/);
    expect(recordsOf(lines("v.jsonl"), "Logs")).toHaveLength(4);
  });

  it("sends to an endpoint", async () => {
    const { done } = await scored();
    const server = await receiver();
    await done(
      "export",
      "./runs.jsonl",
      "./scores.jsonl",
      "--as",
      "otlp-evaluations",
      "--endpoint",
      server.url,
    );
    expect(server.accepted.map(({ path }) => path)).toEqual(["/v1/logs"]);
    expect(
      recordsOf(
        server.accepted.map(({ json }) => json),
        "Logs",
      ),
    ).toHaveLength(18);
  });
});
