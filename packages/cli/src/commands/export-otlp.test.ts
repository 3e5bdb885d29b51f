import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { decodeTrajectory, encodeTrajectory, type JsonObject } from "@agent-step-value/sdk";
import { fixtureTrajectory } from "@agent-step-value/sdk/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { CANARY, workplace } from "./in-process.test-support.ts";

interface Received {
  readonly path: string;
  readonly bytes: number;
  readonly headers: IncomingMessage["headers"];
  readonly json: { resourceSpans?: unknown; resourceLogs?: unknown };
}

/** A loopback OTLP receiver. `answer` decides what it says to each request; 200 where it gives nothing. */
async function receiver(
  answer: (request: Received, response: ServerResponse) => boolean | void = () => false,
) {
  const received: Received[] = [];
  const accepted: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      const seen = {
        path: request.url!,
        bytes: body.length,
        headers: request.headers,
        json: JSON.parse(body.toString()),
      };
      received.push(seen);
      if (answer(seen, response) === true) return;
      accepted.push(seen);
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, port, received, accepted };
}

/** Spans or log records of requests or lines, whatever resource and scope they are in. */
function recordsOf(batches: readonly object[], kind: "Spans" | "Logs"): Record<string, unknown>[] {
  return batches.flatMap((batch) =>
    ((batch as Record<string, Record<string, Record<string, unknown>[]>[]>)[`resource${kind}`] ?? []).flatMap(
      (resource) =>
        resource[`scope${kind}`]!.flatMap(
          (scope) => scope[kind === "Spans" ? "spans" : "logRecords"] as Record<string, unknown>[],
        ),
    ),
  );
}

function attributesOf(record: Record<string, unknown>): Record<string, unknown> {
  const pairs = record["attributes"] as { key: string; value: Record<string, unknown> }[];
  return Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]]));
}

/** Runs of made-up length in a file. */
function setUp(runs = 1, padding = 0) {
  const place = workplace();
  const lines = Array.from({ length: runs }, (_, i) => {
    const trajectory = fixtureTrajectory();
    const step = trajectory.steps[0]!;
    return encodeTrajectory({
      ...trajectory,
      trajectoryId: `run-${i}`,
      success: true,
      steps: Array.from({ length: 3 }, (_step, index) => ({
        ...step,
        stepId: `s-${index}`,
        index,
        stateAfter: { ...step.stateAfter, padding: "x".repeat(padding) },
        label: "harmful",
      })),
    });
  });
  writeFileSync(place.at("runs.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return place;
}

describe("asv export --as otlp into files", () => {
  it("writes spans, one batch a line, and says what stayed behind", async () => {
    const { done, lines, text } = setUp(2);
    const { stderr, stdout } = await done("export", "./runs.jsonl", "--as", "otlp", "--out", "./spans.jsonl");
    const spans = recordsOf(lines("spans.jsonl"), "Spans");
    const ofOneRun = ["asv.step", "asv.step", "asv.step", "asv.trajectory"];
    expect(spans.map(({ name }) => name)).toEqual([...ofOneRun, ...ofOneRun]);
    expect(stdout).toBe("");
    expect(stderr).toMatch(
      /wrote 8 spans to .*spans\.jsonl\n2 trajectories read\nleft out.*gold 2, candidates 6/,
    );
    expect(stderr).toMatch(/success 2, label 6/);
    const { goldCandidateId, candidates } = fixtureTrajectory().task.candidateSpace;
    for (const word of [goldCandidateId!, ...candidates.map((candidate) => candidate.text), "harmful"]) {
      expect(text("spans.jsonl")).not.toContain(word);
    }
  });

  it("gives the same bytes the second time", async () => {
    const { done, text } = setUp();
    await done("export", "./runs.jsonl", "--as", "otlp", "--out", "./one.jsonl");
    await done("export", "./runs.jsonl", "--as", "otlp", "--out", "./two.jsonl");
    expect(text("one.jsonl")).toBe(text("two.jsonl"));
  });

  it("puts long states into a file of log records beside, one a distinct state", async () => {
    const { done, lines, at } = setUp(1, 2000);
    const { stderr } = await done(
      "export",
      "./runs.jsonl",
      "--as",
      "otlp",
      "-o",
      "./spans.jsonl",
      "--inline-limit",
      "1000",
    );
    expect(stderr).toMatch(/wrote 4 spans and 2 log records to .*spans\.jsonl and .*spans\.logs\.jsonl/);
    const logs = recordsOf(lines("spans.logs.jsonl"), "Logs");
    expect(logs.map(({ eventName }) => eventName)).toEqual(["asv.state", "asv.state"]);
    expect(existsSync(at("spans.logs.jsonl"))).toBe(true);
  });

  it("mixes both signals on standard output, where there is but one stream", async () => {
    const { done } = setUp(1, 2000);
    const { stdout } = await done(
      "export",
      "./runs.jsonl",
      "--as",
      "otlp",
      "--out",
      "-",
      "--inline-limit",
      "10",
    );
    const batches = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
    expect([recordsOf(batches, "Logs").length, recordsOf(batches, "Spans").length]).toEqual([2, 4]);
  });

  it("writes protobuf behind four bytes of length", async () => {
    const { done, at } = setUp(3);
    await done(
      "export",
      "./runs.jsonl",
      "--as",
      "otlp",
      "-o",
      "./spans.pb",
      "--encoding",
      "proto",
      "--max-request-bytes",
      "5000",
    );
    const bytes = readFileSync(at("spans.pb"));
    let messages = 0;
    let offset = 0;
    for (; offset < bytes.length; messages++) {
      expect(bytes[offset + 4]).toBe(0x0a);
      offset += 4 + bytes.readUInt32BE(offset);
    }
    expect(offset).toBe(bytes.length);
    expect(messages).toBeGreaterThan(1);
  });

  it("leaves nothing behind, and what was there before, where the input is bad", async () => {
    const { asv, at, text } = setUp(300);
    writeFileSync(at("spans.jsonl"), "before\n");
    writeFileSync(at("bad.jsonl"), '{"schema_version":"asv.v1","trajectory_id":""}\n');
    const { status } = await asv(
      "export",
      "./runs.jsonl",
      "./bad.jsonl",
      "--as",
      "otlp",
      "-o",
      "./spans.jsonl",
    );
    expect(status).toBe(2);
    expect(text("spans.jsonl")).toBe("before\n");
    expect(readdirSync(at("."))).toEqual(["bad.jsonl", "runs.jsonl", "spans.jsonl"]);
  });

  it("says where it could not write", async () => {
    const { asv } = setUp();
    const { status, stderr } = await asv(
      "export",
      "./runs.jsonl",
      "--as",
      "otlp",
      "-o",
      "./no/such/spans.jsonl",
    );
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/spans\.jsonl: cannot be written \(ENOENT\)/),
    ]);
  });

  it.each<[string[], RegExp]>([
    [[], /either --out FILE .* or --endpoint URL/],
    [["--out", "./x", "--endpoint", "http://localhost:1"], /either --out FILE .* or --endpoint URL/],
    [["--out", "-", "--encoding", "proto"], /binary/],
    [["--out", "./x", "--protocol", "direct"], /--protocol has no meaning with --as otlp/],
    [["--endpoint", "ftp://example.org"], /must be an http or https address/],
    [["--out", "./x", "--start-time", "yesterday"], /ISO 8601/],
    [["--out", "./x", "--inline-limit", "-1"], /inlineLimit/],
  ])("refuses %s", async (words, message) => {
    const { asv } = setUp();
    const { status, stderr } = await asv("export", "./runs.jsonl", "--as", "otlp", ...words);
    expect(stderr).toMatch(message);
    expect(status).toBe(1);
  });

  it("refuses score files, which would stay behind in silence", async () => {
    const { asv, done } = setUp();
    await done(
      "score",
      "./runs.jsonl",
      "--evaluator",
      "lexical",
      "--allow-unreviewed",
      "--cache",
      "./c",
      "-o",
      "./scores.jsonl",
    );
    const { status, stderr } = await asv(
      "export",
      "./runs.jsonl",
      "./scores.jsonl",
      "--as",
      "otlp",
      "-o",
      "./x",
    );
    expect([status, stderr]).toEqual([1, expect.stringMatching(/otlp-evaluations/)]);
  });
});

describe("asv export --as otlp to an endpoint", () => {
  it("delivers by the official exporter, in batches no larger than asked for", async () => {
    const { done } = setUp(40, 3000);
    const server = await receiver();
    const { stderr } = await done(
      "export",
      "./runs.jsonl",
      "--as",
      "otlp",
      "--endpoint",
      server.url,
      "--max-request-bytes",
      "50000",
    );
    expect(stderr).toContain(`sent 160 spans to ${server.url}/`);
    expect(
      recordsOf(
        server.accepted.map(({ json }) => json),
        "Spans",
      ),
    ).toHaveLength(160);
    expect(Math.max(...server.received.map(({ bytes }) => bytes))).toBeLessThanOrEqual(50_000);
    expect(server.received.length).toBeGreaterThan(5);
    expect(server.received.map(({ headers }) => headers["user-agent"])[0]).toMatch(/OTel-OTLP-Exporter/);
  });

  it("takes a base address with and without the signal's path, and sends headers from the environment", async () => {
    vi.stubEnv("OTEL_EXPORTER_OTLP_HEADERS", `x-key=${CANARY}`);
    const { done } = setUp(1, 2000);
    const server = await receiver();
    const words = ["export", "./runs.jsonl", "--as", "otlp", "--inline-limit", "100", "--endpoint"];
    const first = await done(...words, `${server.url}/otlp/v1/traces`);
    const second = await done(...words, `${server.url}/otlp/?key=${CANARY}`);
    expect(server.received.map(({ path }) => path)).toEqual([
      "/otlp/v1/logs",
      "/otlp/v1/traces",
      `/otlp/v1/logs?key=${CANARY}`,
      `/otlp/v1/traces?key=${CANARY}`,
    ]);
    expect(server.received.every(({ headers }) => headers["x-key"] === CANARY)).toBe(true);
    expect(first.stderr + second.stderr).not.toContain(CANARY);
  });

  it("counts what a server took only in part, which the exporter alone would call delivered", async () => {
    const { asv } = setUp(2);
    const server = await receiver((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ partialSuccess: { rejectedSpans: "3", errorMessage: "quota" } }));
      return true;
    });
    const { status, stderr } = await asv("export", "./runs.jsonl", "--as", "otlp", "--endpoint", server.url);
    expect(status).toBe(4);
    expect(stderr).toMatch(
      /sent 5 spans to .*\n.*3 spans did not arrive: refused by the server: quota \(3\)/,
    );
  });

  it.each<[string, number, string]>([
    ["413", 413, ""],
    ["400 with a reason", 400, "request body too large"],
  ])("halves a batch that is too large for the server (%s)", async (_, code, reason) => {
    const { done } = setUp(10);
    const server = await receiver(({ bytes }, response) => {
      if (bytes <= 20_000) return false;
      response.writeHead(code).end(reason);
      return true;
    });
    const { stderr } = await done("export", "./runs.jsonl", "--as", "otlp", "--endpoint", server.url);
    expect(stderr).toContain("sent 40 spans");
    const spans = recordsOf(
      server.accepted.map(({ json }) => json),
      "Spans",
    );
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(40);
  });

  it("loses only the record that is too large, and says so", async () => {
    const { asv } = setUp(1, 15_000);
    const server = await receiver(({ bytes }, response) => {
      if (bytes <= 14_000) return false;
      response.writeHead(413).end();
      return true;
    });
    const { status, stderr } = await asv("export", "./runs.jsonl", "--as", "otlp", "--endpoint", server.url);
    expect(status).toBe(4);
    expect(stderr).toMatch(/sent 1 spans to .*\n.*3 spans did not arrive: HTTP 413, too large \(3\)/);
  });

  it("tries again where the server asks for it", async () => {
    const { done } = setUp();
    let asked = 0;
    const server = await receiver((_, response) => {
      if (asked++ > 0) return false;
      response.writeHead(503, { "retry-after": "1" }).end();
      return true;
    });
    const { stderr } = await done("export", "./runs.jsonl", "--as", "otlp", "--endpoint", server.url);
    expect(stderr).toContain("sent 4 spans");
    expect(server.received).toHaveLength(2);
  });

  it("gives up after three batches in a row, with what it knows, and ends with 1 where nothing arrived", async () => {
    const { asv } = setUp(10);
    const server = await receiver((_, response) => {
      response.writeHead(401).end("bad key");
      return true;
    });
    const words = [
      "export",
      "./runs.jsonl",
      "--as",
      "otlp",
      "--endpoint",
      server.url,
      "--max-request-bytes",
      "1",
    ];
    const { status, stderr } = await asv(...words);
    expect(status).toBe(1);
    expect(server.received).toHaveLength(3);
    expect(stderr).toMatch(
      /sent 0 spans to .*\n.*3 spans did not arrive: HTTP 401 \(3\)\n.*the rest was not sent/,
    );
  });
});

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
