import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { openaiDecisionsEvaluator, openaiEvaluator } from "../evaluators/openai/index.ts";
import { parseProtocolName, type ProtocolPreset } from "../protocol/index.ts";
import type { JsonObject, JsonValue, Trajectory } from "../schema/index.ts";
import { fileCache, memoryCache, rationaleSource, score, type ScoreCache } from "../score/index.ts";
import { fixtureTrajectory } from "../testing/fixture-trajectory.ts";
import { startModelServer, type ModelServer } from "../testing/model-server/index.ts";
import { balanced, codeOf, protocolFor, scoreRun } from "../testing/score-run.ts";
import { exportBatch, importBatch, readBatchRow, type BatchExport, type BatchRequest } from "./index.ts";

const KEY = "sk-canary-8823-batch";
const servers: ModelServer[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Two trajectories that share their first state. */
const runs: Trajectory[] = [3, 4].map((steps, i) =>
  fixtureTrajectory({ trajectoryId: `run ${i}`, taskId: `task ${i}`, steps }),
);

async function setUp() {
  const server = await startModelServer();
  servers.push(server);
  const evaluator = openaiEvaluator({ model: "m-1", baseUrl: server.baseUrl, apiKey: KEY, maxAttempts: 1 });
  return { server, evaluator };
}

function newCache(): { cache: ScoreCache; text: () => string } {
  const folder = mkdtempSync(join(tmpdir(), "asv-batch-"));
  folders.push(folder);
  const text = () =>
    readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), "utf8"))
      .join("");
  return { cache: fileCache(folder), text };
}

async function exported(options: Parameters<typeof exportBatch>[1], trajectories = runs) {
  const requests: BatchRequest[] = [];
  const rows = exportBatch(trajectories, options);
  for (;;) {
    const next = await rows.next();
    if (next.done === true) return { requests, written: next.value satisfies BatchExport };
    requests.push(next.value);
  }
}

/** What a provider does with a request file: asks itself, and writes one output row a request. */
async function answered(server: ModelServer, requests: readonly BatchRequest[]): Promise<JsonObject[]> {
  return Promise.all(
    requests.map(async ({ custom_id, url, body }) => {
      const address = server.baseUrl.replace(/\/v1$/, url);
      const response = await fetch(address, { method: "POST", body: JSON.stringify(body) });
      const reply = {
        status_code: response.status,
        request_id: "r",
        body: (await response.json()) as JsonValue,
      };
      return { id: "batch_req", custom_id, response: reply, error: null };
    }),
  );
}

const bytesOf = async (options: Parameters<typeof score>[1]) => (await scoreRun(runs, options)).bytes;

describe("the batch route", () => {
  it.each([
    ["direct", 1],
    ["direct", 3],
    ["rationale-128", 3],
    ["rationale-512@evidence", 1],
    ["extractive@agent-output", 3],
    ["candidate-only", 6],
  ])("%s, B = %i: the score file is the direct route's to the byte, without a call", async (name, b) => {
    const { server, evaluator } = await setUp();
    const preset: ProtocolPreset = parseProtocolName(name);
    const mappings = b === 1 ? preset.mappings : balanced(b);
    const protocol = protocolFor(preset, evaluator, { mappings });
    const direct = await bytesOf({ protocol, evaluator, cache: memoryCache() });
    const directBodies = server.requests.map(({ body }) => JSON.stringify(body)).toSorted();

    const { cache, text } = newCache();
    const options = { protocol, evaluator, cache };
    const sent: BatchRequest[] = [];
    for (let round = 1; ; round++) {
      const { requests, written } = await exported(options);
      expect(written.rationales === 0 || round === 1).toBe(true);
      sent.push(...requests);
      const rows = await answered(server, requests);
      const found = await importBatch(
        () => runs,
        () => rows.toReversed(),
        options,
      );
      expect(found).toMatchObject({ rows: requests.length, failed: 0, unknown: 0, duplicates: 0 });
      expect([found.missing, found.waiting]).toEqual([0, written.waiting]);
      if (written.waiting === 0) break;
    }
    expect(sent.map(({ body }) => JSON.stringify(body)).toSorted()).toEqual(directBodies);
    const calls = server.counts.requests;
    expect(await bytesOf(options)).toBe(direct);
    expect(server.counts.requests).toBe(calls);
    expect(JSON.stringify(sent) + text()).not.toContain(KEY);
    await cache.close();
  });

  it("writes each call once, in OpenAI's form, under its cache key", async () => {
    const { evaluator } = await setUp();
    const protocol = protocolFor(parseProtocolName("direct"), evaluator);
    const { requests, written } = await exported({ protocol, evaluator, cache: memoryCache() });
    // 4 and 5 states; the first four of both runs are the same prompt.
    expect(written).toEqual({ rationales: 0, scored: 5, cached: 0, waiting: 0 });
    for (const { custom_id, ...request } of requests) {
      expect(custom_id).toMatch(/^[0-9a-f]{64}$/);
      expect(request).toMatchObject({
        method: "POST",
        url: "/v1/chat/completions",
        body: { model: "m-1", logprobs: true, top_logprobs: 20, max_tokens: 1 },
      });
      expect(JSON.stringify(request)).not.toMatch(/gold/);
    }
  });

  it("takes two rounds where a rationale is needed, and both outputs at once, in any order", async () => {
    const { server, evaluator } = await setUp();
    const protocol = protocolFor(parseProtocolName("rationale-128"), evaluator);
    const first = { protocol, evaluator, cache: memoryCache() };
    const one = await exported(first);
    expect(one.written).toEqual({ rationales: 5, scored: 0, cached: 0, waiting: 9 });
    const rationales = await answered(server, one.requests);
    await importBatch(
      () => runs,
      () => rationales,
      first,
    );
    const two = await exported(first);
    expect(two.written).toEqual({ rationales: 0, scored: 5, cached: 5, waiting: 0 });
    const scores = await answered(server, two.requests);
    const fresh = { ...first, cache: memoryCache() };
    const found = await importBatch(
      () => runs,
      () => [...scores, ...rationales],
      fresh,
    );
    expect(found).toEqual({
      rows: 10,
      rationales: 5,
      scored: 5,
      duplicates: 0,
      unknown: 0,
      failed: 0,
      missing: 0,
      waiting: 0,
    });
  });

  it("swapped rationales need no round of their own", async () => {
    const { server, evaluator } = await setUp();
    const generated = protocolFor(parseProtocolName("rationale-128"), evaluator);
    const { records } = await scoreRun(runs, { protocol: generated, evaluator });
    const protocol = protocolFor(parseProtocolName("swapped-128"), evaluator);
    const rationales = await rationaleSource(records, protocol);
    const options = { protocol, evaluator, rationales, cache: memoryCache() };
    const { requests, written } = await exported(options);
    expect(written).toMatchObject({ rationales: 0, waiting: 0 });
    const rows = await answered(server, requests);
    await importBatch(
      () => runs,
      () => rows,
      options,
    );
    expect((await scoreRun(runs, options)).outcome.calls).toBe(0);
  });
});

describe("importBatch", () => {
  const good = async () => {
    const { server, evaluator } = await setUp();
    const protocol = protocolFor(parseProtocolName("direct"), evaluator);
    const options = { protocol, evaluator, cache: memoryCache() };
    const { requests } = await exported(options);
    return { options, rows: await answered(server, requests), server };
  };
  const bodyOf = (row: JsonObject) => (row["response"] as { body: JsonObject }).body;

  it("tells failed rows apart by reason, keeps none of them, and asks only for them again", async () => {
    const { options, rows } = await good();
    const ids = rows.map((row) => row["custom_id"] as string);
    rows[0] = {
      custom_id: ids[0]!,
      response: null,
      error: { code: "batch_expired", message: "SECRET STATE" },
    };
    rows[1] = {
      custom_id: ids[1]!,
      response: {
        status_code: 400,
        body: { error: { code: "context_length_exceeded", message: "SECRET STATE" } },
      },
      error: null,
    };
    (bodyOf(rows[2]!)["choices"] as JsonObject[])[0]!["logprobs"] = null;
    rows[3] = { custom_id: ids[3]!, response: { status_code: 200, body: "no object" } };
    const told: string[] = [];
    const found = await importBatch(
      () => runs,
      () => rows,
      {
        ...options,
        onFailure: ({ customId, reason }) => told.push(`${ids.indexOf(customId)} ${reason}`),
      },
    );
    expect(found).toMatchObject({ scored: 1, failed: 4, missing: 4, unknown: 0 });
    expect(told).toEqual([
      "0 error batch_expired",
      "1 status 400 context_length_exceeded",
      expect.stringMatching(/^2 no_logprobs: /),
      expect.stringMatching(/^3 invalid_response: /),
    ]);
    expect(told.join()).not.toContain("SECRET");
    const { requests } = await exported(options);
    expect(requests.map(({ custom_id }) => custom_id)).toEqual(ids.slice(0, 4));
  });

  it("a good row counts whether it stands before or after a failed one of its key", async () => {
    const { options, rows } = await good();
    const bad = (row: JsonObject) => ({ custom_id: row["custom_id"]!, error: { code: "batch_expired" } });
    const mixed = [bad(rows[0]!), ...rows, bad(rows[1]!)];
    const found = await importBatch(
      () => runs,
      () => mixed,
      options,
    );
    expect(found).toMatchObject({ scored: 5, failed: 0, missing: 0, duplicates: 1 });
  });

  it("folds doubles, within a file and across imports, and the first reply stays", async () => {
    const { options, rows } = await good();
    const second = structuredClone(rows);
    for (const row of second) bodyOf(row)["model"] = "m-late";
    const found = await importBatch(
      () => runs,
      () => [...rows, ...second],
      options,
    );
    expect(found).toMatchObject({ rows: 10, scored: 5, duplicates: 5, missing: 0 });
    expect(
      await importBatch(
        () => runs,
        () => second,
        options,
      ),
    ).toMatchObject({ scored: 0, duplicates: 5 });
    expect((await scoreRun(runs, options)).bytes).not.toContain("m-late");
  });

  it("counts rows of other runs and lines that are no rows, and keeps nothing of them", async () => {
    const { options, rows } = await good();
    const strangers: unknown[] = [
      { ...rows[0], custom_id: "0".repeat(64) },
      { ...rows[0], custom_id: "__proto__" },
      { ...rows[0], custom_id: 7 },
      {},
      null,
      [],
      "text",
    ];
    const found = await importBatch(
      () => runs,
      () => strangers,
      options,
    );
    expect(found).toEqual({
      rows: 7,
      rationales: 0,
      scored: 0,
      duplicates: 0,
      unknown: 7,
      failed: 0,
      missing: 5,
      waiting: 0,
    });
    expect(await options.cache.get("0".repeat(64))).toBeUndefined();
  });

  it("does not mistake replies of another protocol for its own", async () => {
    const { options, rows } = await good();
    const other = openaiEvaluator({ model: "m-2", baseUrl: servers[0]!.baseUrl });
    const protocol = protocolFor(parseProtocolName("direct"), other);
    const found = await importBatch(
      () => runs,
      () => rows,
      { ...options, protocol, evaluator: other },
    );
    expect(found).toMatchObject({ unknown: 5, missing: 5, scored: 0 });
  });
});

describe("refusals", () => {
  it("an evaluator that no batch file can hold, and what scoring refuses", async () => {
    const { server, evaluator } = await setUp();
    const decisions = openaiDecisionsEvaluator({ model: "d", baseUrl: server.baseUrl });
    const wrong = { protocol: protocolFor(parseProtocolName("direct"), decisions), evaluator: decisions };
    expect(await codeOf(exported({ ...wrong, cache: memoryCache() }))).toBe("incompatible_evaluator");
    const protocol = protocolFor(parseProtocolName("direct"), evaluator);
    const options = { protocol, evaluator, cache: memoryCache() };
    const unfrozen = [fixtureTrajectory({ frozen: false })];
    expect(await codeOf(exported(options, unfrozen))).toBe("unfrozen_candidates");
    expect(await codeOf(exported({ ...options, shard: { index: 3, count: 2 } }))).toBe("invalid_argument");
    expect(server.counts.requests).toBe(0);
  });
});

describe("readBatchRow", () => {
  it.each([
    [
      { custom_id: "k", response: { status_code: 200, body: { a: 1 } }, error: null },
      { customId: "k", body: { a: 1 } },
    ],
    [
      { custom_id: "k", response: { status_code: 200 } },
      { customId: "k", body: null },
    ],
    [
      { custom_id: "k", response: { body: {} } },
      { customId: "k", failure: "status unknown" },
    ],
    [{ custom_id: "k" }, { customId: "k", failure: "no response" }],
    [
      { custom_id: "k", error: {} },
      { customId: "k", failure: "error without a code" },
    ],
    [
      { custom_id: "k", error: { code: "a b\u001b[0m" } },
      { customId: "k", failure: "error without a code" },
    ],
    [{ response: {} }, undefined],
  ])("%j", (json, row) => {
    expect(readBatchRow(json)).toEqual(row);
  });
});
