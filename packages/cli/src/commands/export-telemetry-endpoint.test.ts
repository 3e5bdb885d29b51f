import { describe, expect, it, vi } from "vitest";
import { receiver, recordsOf, setUp } from "./export-otlp.test-support.ts";
import { CANARY } from "./in-process.test-support.ts";

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
