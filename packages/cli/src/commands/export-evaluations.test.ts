import { writeFileSync } from "node:fs";
import {
  decodeTrajectory,
  encodeScoreFileRecord,
  encodeTrajectory,
  type JsonObject,
} from "@agent-step-value/sdk";
import { fixtureTrajectory, syntheticStudy } from "@agent-step-value/sdk/testing";
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

  describe("--baseline", () => {
    function study() {
      const place = setUp(1);
      const { trajectories, channels } = syntheticStudy({ trajectories: 3 });
      const lines = (records: readonly unknown[]) =>
        records.map((record) => `${JSON.stringify(record)}\n`).join("");
      writeFileSync(place.at("study.jsonl"), lines(trajectories.map((one) => encodeTrajectory(one))));
      channels.slice(0, 2).forEach(({ records }, i) => {
        writeFileSync(place.at(`${i}.jsonl`), lines(records.map((record) => encodeScoreFileRecord(record))));
      });
      const files = ["./study.jsonl", "./0.jsonl", "./1.jsonl"];
      return { ...place, channels, files, export: ["export", ...files, "--as", "otlp-evaluations"] };
    }

    it("adds each step's gain minus the baseline's, as asv compare takes it, and says against what", async () => {
      const { done, lines, text, files, channels, export: words } = study();
      await done(...words, "--baseline", "direct", "--out", "./values.jsonl");
      const records = recordsOf(lines("values.jsonl"), "Logs").map(attributesOf);
      const effects = records.filter((one) => one["gen_ai.evaluation.name"] === "asv.channel_effect");
      await done("compare", ...files, "--baseline", "direct", "--out", "./compared", "--resamples", "200");
      const [{ all, largest }] = JSON.parse(text("compared/comparisons.json")).comparisons;
      expect(effects).toHaveLength(all.pairs);
      const values = effects.map((one) => Number(one["gen_ai.evaluation.score.value"]));
      expect(values.reduce((sum, value) => sum + value, 0) / values.length).toBeCloseTo(all.signed.mean, 12);
      for (const { trajectory_id, step_id, effect } of largest) {
        const found = effects.find(
          (one) => one["asv.trajectory.id"] === trajectory_id && one["asv.step.id"] === step_id,
        );
        expect(found!["gen_ai.evaluation.score.value"]).toBe(effect);
      }
      const [direct, rationale] = channels.map(({ protocol }) => protocol.id);
      expect(new Set(effects.map((one) => one["asv.baseline.digest"]))).toEqual(new Set([direct]));
      expect(new Set(records.map((one) => one["asv.protocol.digest"]))).toEqual(new Set([rationale]));
      const gains = records.filter((one) => one["gen_ai.evaluation.name"] === "asv.gold_margin_gain");
      expect(gains.every((one) => one["asv.baseline.digest"] === undefined)).toBe(true);
    });

    it.each([
      [["--protocol", "direct", "--baseline", "direct"], /--baseline is the protocol itself/],
      [["--baseline", "nowhere"], /no channel "nowhere".*; they hold direct/],
    ])("refuses %j", async (options, message) => {
      const { asv, export: words } = study();
      const { status, stderr } = await asv(...words, ...options, "--out", "./values.jsonl");
      expect(status).toBe(1);
      expect(stderr).toMatch(message);
    });

    it("needs score files, and belongs to evaluations alone", async () => {
      const { asv } = study();
      const stored = await asv(
        "export",
        "./study.jsonl",
        "--as",
        "otlp-evaluations",
        "--baseline",
        "direct",
        "--out",
        "./v",
      );
      expect([stored.status, stored.stderr]).toEqual([
        1,
        expect.stringContaining("--baseline needs score files"),
      ]);
      const spans = await asv(
        "export",
        "./study.jsonl",
        "--as",
        "otlp",
        "--baseline",
        "direct",
        "--out",
        "./v",
      );
      expect([spans.status, spans.stderr]).toEqual([1, expect.stringContaining("--baseline has no meaning")]);
    });
  });
});
