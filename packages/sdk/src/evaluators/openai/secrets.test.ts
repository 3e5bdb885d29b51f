import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { protocols } from "../../protocol/index.ts";
import { encodeScoreFileRecord } from "../../schema/index.ts";
import { fileCache } from "../../score/index.ts";
import { fixtureTrajectory } from "../../testing/fixture-trajectory.ts";
import { BAD_DAYS, startModelServer, type ServerBehaviour } from "../../testing/model-server/index.ts";
import { protocolFor, scoreRun } from "../../testing/score-run.ts";
import { openaiEvaluator } from "./openai-evaluator.ts";
import { virtualClock } from "./virtual-clock.test-support.ts";

const KEY = "sk-canary-4c1f9e7d2b6a8035";
const COOKIE = "cookie-canary-83";
const levels = ["log", "info", "warn", "error", "debug"] as const;

let said: unknown[] = [];
beforeEach(() => {
  said = [];
  for (const level of levels)
    vi.spyOn(console, level).mockImplementation((...words) => void said.push(...words));
  vi.stubEnv("OPENAI_LOG", "debug");
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** A server that repeats the key it was sent, as real ones do, in text and headers. */
const echo = (status: number): ServerBehaviour => ({
  do: "json",
  status,
  headers: { "set-cookie": COOKIE, "x-request-id": KEY },
  json: { error: { message: `The key ${KEY} (Bearer ${KEY}) is wrong.`, code: KEY, type: KEY, param: KEY } },
});
const days: [string, () => ServerBehaviour | (typeof BAD_DAYS)[number]][] = [
  ...BAD_DAYS.map((day) => [day, () => day] as [string, () => typeof day]),
  ...[400, 401, 403, 404, 429, 500].map(
    (status) => [`a ${status} that repeats the key`, () => echo(status)] as [string, () => ServerBehaviour],
  ),
  [
    "text that repeats the key",
    () => ({ do: "text", text: `{"key": "${KEY}`, headers: { "set-cookie": COOKIE } }),
  ],
];

describe("the key", () => {
  it.each(days)("is in no error, log line, record or cache: %s", async (_, day) => {
    const server = await startModelServer({ script: ({ n }) => (n === 0 ? undefined : day()) });
    const folder = await mkdtemp(join(tmpdir(), "asv-secrets-"));
    onTestFinished(async () => {
      await server.close();
      await rm(folder, { recursive: true });
    });
    const waits: unknown[] = [];
    const evaluator = openaiEvaluator({
      model: "m-1",
      baseUrl: server.baseUrl,
      apiKey: KEY,
      timeoutMs: 50,
      maxAttempts: 2,
      clock: virtualClock(),
      onWait: (wait) => waits.push(wait),
    });
    const protocol = protocolFor(protocols.direct, evaluator);
    const cache = fileCache(folder);
    const run = await scoreRun([fixtureTrajectory({ steps: 2 })], { evaluator, protocol, cache }).catch(
      (error: unknown) => error,
    );
    const direct = await evaluator
      .score({ question: "", candidates: [], blocks: [], labelToCandidate: {}, prompt: "x" })
      .catch((error: unknown) => error);
    await cache.close();
    expect(server.requests[0]!.headers["authorization"]).toBe(`Bearer ${KEY}`);

    const records = run instanceof Error ? [] : (run as Awaited<ReturnType<typeof scoreRun>>).records;
    const everything = [
      inspect([run, direct, evaluator, protocol, said, waits], { depth: 20, showHidden: true }),
      ...[run, direct].map((error) =>
        error instanceof Error ? `${error.stack}${JSON.stringify(error)}` : "",
      ),
      ...records.map((record) => JSON.stringify(encodeScoreFileRecord(record))),
      ...readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8")),
    ].join("\n");
    const leaked = [KEY, KEY.slice(3, 15), COOKIE, "Bearer"].filter((secret) => everything.includes(secret));
    expect(leaked).toEqual([]);
    expect(said).toEqual([]);
  });
});
