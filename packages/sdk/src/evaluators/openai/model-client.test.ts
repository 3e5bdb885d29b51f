import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { AsvError } from "../../errors/index.ts";
import { startModelServer, type ModelServerOptions } from "../../testing/model-server/index.ts";
import { createModelClient, type ModelClientOptions } from "./model-client.ts";
import { virtualClock } from "./virtual-clock.test-support.ts";

const body = {
  messages: [{ role: "user", content: "The state: Ada reads the gauge." }],
  logprobs: true,
  top_logprobs: 5,
};

async function setUp(script: ModelServerOptions["script"] = [], options: Partial<ModelClientOptions> = {}) {
  const server = await startModelServer({ script });
  onTestFinished(() => server.close());
  const clock = virtualClock();
  const client = createModelClient({ model: "m-1", baseUrl: server.baseUrl, clock, ...options });
  return { server, clock, client };
}
async function failure(work: Promise<unknown>): Promise<AsvError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(AsvError.isInstance(error)).toBe(true);
  return error as AsvError;
}

describe("createModelClient", () => {
  it("sends the body with the model's name, the key in its header, and nothing of its own", async () => {
    const { server, client } = await setUp([], { apiKey: "sk-canary-0123456789" });
    await client.call({ body });
    const [request] = server.requests;
    expect(request!.body).toEqual({ model: "m-1", ...body });
    expect(request!.headers["authorization"]).toBe("Bearer sk-canary-0123456789");
    expect(Object.keys(request!.headers).filter((name) => /stainless|openai|key/i.test(name))).toEqual([]);
  });

  it("sends no key where there is none, and Azure's in its own header", async () => {
    const plain = await setUp();
    await plain.client.call({ body });
    expect(plain.server.requests[0]!.headers["authorization"]).toBeUndefined();
    const azure = await setUp([], { preset: "azure", apiKey: "canary-0123456789" });
    await azure.client.call({ body });
    expect(azure.server.requests[0]!.headers["api-key"]).toBe("canary-0123456789");
    expect(azure.server.requests[0]!.headers["authorization"]).toBeUndefined();
  });

  it("reads nothing from the environment", async () => {
    const names = ["OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_ORG_ID", "OPENAI_CUSTOM_HEADERS"] as const;
    for (const name of names) process.env[name] = name === "OPENAI_CUSTOM_HEADERS" ? "x-canary: 1" : "canary";
    onTestFinished(() => {
      for (const name of names) delete process.env[name];
    });
    const { server, client } = await setUp();
    await client.call({ body });
    expect(JSON.stringify(server.requests[0]!.headers)).not.toContain("canary");
  });

  it.each(["server-error", "reset", "too-many", "retry-after-120"] as const)(
    "tries again after %s",
    async (day) => {
      const { server, client } = await setUp([day, day]);
      expect((await client.call({ body })).attempts).toBe(3);
      expect(server.counts).toMatchObject({ requests: 3, scored: 1, repeated: 0 });
    },
  );

  it.each([408, 409, 425, 429, 500, 502, 503, 504, 529])("tries again after status %d", async (status) => {
    const { client } = await setUp([{ do: "json", status, json: {} }]);
    expect((await client.call({ body })).attempts).toBe(2);
  });

  it("waits 120 s when the server says so, and longer each time when it says nothing", async () => {
    const told = await setUp(["retry-after-120"]);
    await told.client.call({ body });
    expect(told.clock.now()).toBeGreaterThanOrEqual(120_000);
    expect(told.clock.now()).toBeLessThan(121_001);
    const untold = await setUp(["server-error", "server-error", "server-error"]);
    await untold.client.call({ body });
    // Half to all of 0.5, 1 and 2 s; the clock's chance is always one half.
    expect(untold.clock.slept).toEqual([375, 750, 1500]);
  });

  it("tells people of a long wait", async () => {
    const waits: { ms: number; reason: string }[] = [];
    const { client } = await setUp(["retry-after-120"], { onWait: (wait) => waits.push(wait) });
    await client.call({ body });
    expect(waits).toHaveLength(1);
    expect(waits[0]!.ms).toBeGreaterThanOrEqual(120_000);
    expect(waits[0]!.reason).toBe("rate limit");
  });

  it.each(["used-up-window"] as const)(
    "waits for the window that %s names before the next call",
    async (day) => {
      const { client, clock } = await setUp([day]);
      await client.call({ body });
      await client.call({ body });
      expect(clock.now()).toBeGreaterThanOrEqual(30_000);
    },
  );

  it("gives up after its attempts, with the last failure", async () => {
    const { server, client } = await setUp(() => "server-error", { maxAttempts: 3 });
    const error = await failure(client.call({ body }));
    expect(error.message).toBe(
      "local (m-1): status 500, the server could not answer (Something went wrong.).",
    );
    expect(error.fields).toMatchObject({ status: 500 });
    expect(error.fields["fatal"]).toBeUndefined();
    expect(server.counts.requests).toBe(3);
  });

  it("gives up at its deadline instead of sleeping past it", async () => {
    const { server, client, clock } = await setUp(() => "retry-after-120", { deadlineMs: 60_000 });
    expect((await failure(client.call({ body }))).fields["reason"]).toBe("deadline");
    expect(server.counts.requests).toBe(1);
    expect(clock.now()).toBeLessThan(60_000);
  });

  it.each([
    ["no-credit", { status: 429, fatal: true }, /no credit/],
    ["wrong-key", { status: 401, fatal: true }, /the key was not accepted/],
    ["not-found", { status: 404, fatal: true }, /no such address or model/],
    ["bad-request", { status: 400, code: "context_length_exceeded" }, /not accepted/],
    ["torn-json", { flag: "invalid_response" }, /not valid JSON/],
    ["bare-infinity", { flag: "invalid_response" }, /not valid JSON/],
  ] as const)("does not try again after %s", async (day, fields, message) => {
    const { server, client } = await setUp([day]);
    const error = await failure(client.call({ body }));
    expect(error.fields).toMatchObject(fields);
    if (!("fatal" in fields)) expect(error.fields["fatal"]).toBeUndefined();
    expect(error.message).toMatch(message);
    expect(server.counts.requests).toBe(1);
  });

  it.each([
    [402, {}, { fatal: true }],
    [403, {}, { fatal: true }],
    [403, { metadata: { reasons: ["violence"] } }, { flag: "refusal" }],
    [400, { code: "content_filter" }, { flag: "refusal" }],
    [400, { code: "unsupported_parameter", param: "logprobs" }, { fatal: true }],
    [400, { type: "invalid_request_error", param: "top_logprobs" }, { fatal: true }],
    [422, {}, {}],
    [307, {}, { fatal: true }],
  ])("status %d with %j: %j", async (status, error, fields) => {
    const { server, client } = await setUp([
      { do: "json", status, json: { error }, headers: { location: "http://127.0.0.1:9/" } },
    ]);
    const thrown = await failure(client.call({ body }));
    expect({ fatal: thrown.fields["fatal"], flag: thrown.fields["flag"] }).toEqual({
      fatal: undefined,
      flag: undefined,
      ...fields,
    });
    expect(server.counts.requests).toBe(1);
  });

  it("obeys x-should-retry", async () => {
    const { server, client } = await setUp([
      { do: "json", status: 400, json: {}, headers: { "x-should-retry": "true" } },
      { do: "json", status: 503, json: {}, headers: { "x-should-retry": "false" } },
    ]);
    expect((await failure(client.call({ body }))).fields["status"]).toBe(503);
    expect(server.counts.requests).toBe(2);
  });

  it("ends an attempt that hangs, before and after the headers", async () => {
    const { server, client } = await setUp(() => "hang", { timeoutMs: 60, maxAttempts: 2 });
    const error = await failure(client.call({ body }));
    expect([error.fields["reason"], server.counts.requests]).toEqual(["timeout", 2]);

    const half = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"choices":');
    });
    await new Promise<void>((resolve) => half.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void half.close() as never);
    onTestFinished(() => half.closeAllConnections());
    const baseUrl = `http://127.0.0.1:${(half.address() as AddressInfo).port}/v1`;
    const slow = createModelClient({
      model: "m",
      baseUrl,
      timeoutMs: 60,
      maxAttempts: 1,
      clock: virtualClock(),
    });
    expect((await failure(slow.call({ body }))).fields["reason"]).toBe("timeout");
  });

  it("an unreachable server is named by its code, not by its address", async () => {
    const server = await startModelServer();
    await server.close();
    const client = createModelClient({
      model: "m",
      baseUrl: server.baseUrl,
      maxAttempts: 2,
      clock: virtualClock(),
    });
    const error = await failure(client.call({ body }));
    expect(error.message).toBe("local (m): the connection failed (ECONNREFUSED).");
  });

  it.each(["hang", "retry-after-120", "server-error"] as const)(
    "an abort during %s ends the call with its reason",
    async (day) => {
      const server = await startModelServer({ script: () => day });
      onTestFinished(() => server.close());
      const client = createModelClient({ model: "m", baseUrl: server.baseUrl });
      const stop = new AbortController();
      const call = client.call({ body, signal: stop.signal });
      const ended = call.catch((error: unknown) => error);
      while (server.counts.requests === 0) await new Promise((resolve) => setTimeout(resolve, 2));
      await new Promise((resolve) => setTimeout(resolve, 20));
      const reason = new Error("Ctrl-C");
      stop.abort(reason);
      expect(await ended).toBe(reason);
      // Nothing of an aborted call lingers that would keep the server's count moving.
      const { requests } = server.counts;
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(server.counts.requests).toBe(requests);
    },
  );

  it("keeps a rate over many calls at once and gives all of them their answer", async () => {
    const { server, client, clock } = await setUp(({ n }) => (n % 7 === 3 ? "too-many" : undefined), {
      limits: { requestsPerMinute: 600, maxConcurrent: 8 },
      maxAttempts: 20,
    });
    const calls = Array.from({ length: 60 }, (_, i) =>
      client.call({ body: { ...body, messages: [{ role: "user", content: `state ${i}` }] } }),
    );
    expect(await Promise.all(calls)).toHaveLength(60);
    expect(server.counts).toMatchObject({ scored: 60, repeated: 0 });
    expect(server.counts.mostAtOnce).toBeLessThanOrEqual(8);
    expect(clock.now()).toBeGreaterThan(0);
  });

  it.each<[Partial<ModelClientOptions>, RegExp]>([
    [{ model: "" }, /model must be/],
    [{ timeoutMs: 0 }, /timeoutMs must be/],
    [{ baseUrl: "localhost:80" }, /begins with http/],
    [{ baseUrl: "https://ada:sesame@host/v1" }, /no user name or password/],
    [{ baseUrl: "https://host/v1?api_key=sesame" }, /must hold no key/],
    [{ preset: "nosuch" }, /openai, azure, deepseek/],
    [{ preset: "vllm", baseUrl: undefined as never }, /no address of its own/],
  ])("refuses %j", (options, message) => {
    const make = () => createModelClient({ model: "m", baseUrl: "http://127.0.0.1:1/v1", ...options });
    expect(make).toThrow(message);
    try {
      make();
    } catch (error) {
      expect(String(error)).not.toContain("sesame");
    }
  });
});
