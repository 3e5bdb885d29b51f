import { writeFileSync } from "node:fs";
import { encodeTrajectory } from "@agent-step-value/sdk";
import { fixtureTrajectory, startModelServer } from "@agent-step-value/sdk/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { CANARY, workplace } from "./in-process.test-support.ts";

/** Two runs in a file, and a server with the options that name it. */
async function setUp() {
  const place = workplace();
  const server = await startModelServer();
  onTestFinished(() => server.close());
  const runs = [2, 3].map((steps, i) =>
    fixtureTrajectory({ trajectoryId: `run ${i}`, steps, question: `Does gauge ${i} read high?` }),
  );
  writeFileSync(
    place.at("runs.jsonl"),
    runs.map((run) => `${JSON.stringify(encodeTrajectory(run))}\n`).join(""),
  );
  const plan = [
    "--evaluator",
    "openai",
    "--base-url",
    server.baseUrl,
    "--model",
    "m-1",
    "--api-key-env",
    "ASV_TEST_KEY",
    "--protocol",
    "rationale-128",
    "--mappings",
    "balanced:3",
  ];
  /** What a provider does with the requests of a file. */
  const answer = async (requests: string, responses: string) => {
    const rows = await Promise.all(
      place.lines(requests).map(async ({ custom_id, url, body }) => {
        const address = server.baseUrl.replace(/\/v1$/, url as string);
        const reply = await fetch(address, { method: "POST", body: JSON.stringify(body) });
        return { custom_id, response: { status_code: reply.status, body: await reply.json() }, error: null };
      }),
    );
    writeFileSync(place.at(responses), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  };
  return { ...place, server, plan, answer };
}

describe("asv batch", () => {
  it("two rounds, then asv score writes the direct route's bytes without a call", async () => {
    const { done, asv, plan, answer, text, server, everything } = await setUp();
    await done("score", "./runs.jsonl", ...plan, "--cache", "./direct", "--out", "./direct.jsonl");
    const batch = [...plan, "--cache", "./cache"];
    const first = await done("batch", "export", "./runs.jsonl", ...batch, "--out", "./round-1.jsonl");
    expect(first.stderr).toMatch(
      /^first of two rounds: 7 rationale requests, 0 scored requests; 21 scored calls wait .* then export again\n$/,
    );
    await answer("round-1.jsonl", "replies-1.jsonl");
    const back = await done("batch", "import", "./runs.jsonl", "./replies-1.jsonl", ...batch);
    expect(back.stderr).toMatch(/^7 rationales and 0 scored replies of 7 rows -> .*; 21 scored calls waited/);
    const second = await done("batch", "export", "./runs.jsonl", ...batch, "--out", "./round-2.jsonl");
    expect(second.stderr).toBe("last round: 21 scored requests, 7 replies already there\n");
    await answer("round-2.jsonl", "replies-2.jsonl");
    await done("batch", "import", "./replies-2.jsonl", "./runs.jsonl", ...batch);

    const calls = server.counts.requests;
    const scored = await done("score", "./runs.jsonl", ...batch, "--out", "./batch.jsonl", "--json");
    expect(JSON.parse(scored.stdout)).toMatchObject({ calls: 0, cacheHits: 28, unscored: 0 });
    expect(server.counts.requests).toBe(calls);
    expect(text("batch.jsonl")).toBe(text("direct.jsonl"));
    const again = await asv("batch", "export", "./runs.jsonl", ...batch, "--out", "./round-3.jsonl");
    expect(again.stderr).toBe("nothing to ask, 28 replies already there: score with asv score\n");
    expect(everything()).not.toContain(CANARY);
  });

  it("needs no key to write a file, and no server", async () => {
    const { done, lines } = await setUp();
    const plan = ["--model", "gpt-4.1-mini", "--cache", "./cache"];
    const { stdout } = await done("batch", "export", "./runs.jsonl", ...plan, "--out", "./r.jsonl", "--json");
    expect(JSON.parse(stdout)).toEqual({ rationales: 0, scored: 7, cached: 0, waiting: 0 });
    expect(lines("r.jsonl")[0]).toMatchObject({
      method: "POST",
      url: "/v1/chat/completions",
      body: { model: "gpt-4.1-mini", max_completion_tokens: 1 },
    });
  });

  it("a failed row is told without the provider's words, and the command ends with 4", async () => {
    const { asv, done, plan, answer, at, lines } = await setUp();
    const batch = [...plan, "--protocol", "direct", "--cache", "./cache"];
    await done("batch", "export", "./runs.jsonl", ...batch, "--out", "./requests.jsonl");
    await answer("requests.jsonl", "replies.jsonl");
    const rows = lines("replies.jsonl");
    rows[0] = {
      custom_id: rows[0]!["custom_id"],
      response: null,
      error: { code: "batch_expired", message: "STATE" },
    };
    rows.push({ ...rows[1], custom_id: "f".repeat(64) }, rows[2]!);
    writeFileSync(at("replies.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    const { status, stderr } = await asv("batch", "import", "./runs.jsonl", "./replies.jsonl", ...batch);
    expect(status).toBe(4);
    expect(stderr).toMatch(/warning: .{13}: error batch_expired\n/);
    expect(stderr).toMatch(
      /0 rationales and 20 scored replies of 23 rows -> .*; 1 rows were there already; 1 rows answer no call .*; 1 failed; 1 calls have no reply yet/,
    );
    expect(stderr).not.toContain("STATE");
    const json = await asv("batch", "import", "./runs.jsonl", "./replies.jsonl", ...batch, "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({
      scored: 0,
      duplicates: 21,
      unknown: 1,
      failed: 1,
      missing: 1,
    });
  });

  it("a torn last line is passed over, another bad line is not", async () => {
    const { asv, plan, answer, at, done, text } = await setUp();
    const batch = [...plan, "--protocol", "direct", "--cache", "./cache"];
    await done("batch", "export", "./runs.jsonl", ...batch, "--out", "./requests.jsonl");
    await answer("requests.jsonl", "replies.jsonl");
    const good = text("replies.jsonl");
    writeFileSync(at("replies.jsonl"), good.slice(0, -40));
    const torn = await asv("batch", "import", "./runs.jsonl", "./replies.jsonl", ...batch);
    expect(torn.status).toBe(4);
    expect(torn.stderr).toMatch(/20 scored replies of 20 rows/);
    writeFileSync(at("replies.jsonl"), `${good.slice(0, 60)}\n${good}`);
    const broken = await asv("batch", "import", "./runs.jsonl", "./replies.jsonl", ...batch);
    expect([broken.status, broken.stderr]).toEqual([2, expect.stringMatching(/replies\.jsonl:1/)]);
  });

  it("takes the swapped buffer with the rationales of a score file", async () => {
    const { done, asv, plan } = await setUp();
    await done("score", "./runs.jsonl", ...plan, "--cache", "./cache", "--out", "./scores.jsonl");
    const swapped = [...plan, "--protocol", "swapped-128", "--cache", "./cache"];
    const without = await asv("batch", "export", "./runs.jsonl", ...swapped, "--out", "./r.jsonl");
    expect([without.status, without.stderr]).toEqual([
      1,
      expect.stringMatching(/no rationales of another run/),
    ]);
    const from = ["--swapped-from", "./scores.jsonl"];
    const { stdout } = await done(
      "batch",
      "export",
      "./runs.jsonl",
      ...swapped,
      ...from,
      "--out",
      "./r.jsonl",
      "--json",
    );
    // 3 and 4 states; the longer run's last one has nobody to borrow from.
    expect(JSON.parse(stdout)).toEqual({ rationales: 0, scored: 18, cached: 0, waiting: 0 });
  });

  it("refuses what it cannot work with, by name", async () => {
    const { asv } = await setUp();
    const model = ["--model", "m", "--base-url", "http://127.0.0.1:1/v1", "--cache", "./cache"];
    const end = async (...words: string[]) => {
      const { status, stderr } = await asv("batch", ...words);
      return `${status} ${stderr}`;
    };
    expect(await end("import", "./runs.jsonl", ...model)).toMatch(
      /^1 .*None of the files holds batch output/,
    );
    expect(await end("import", "-", "./runs.jsonl", ...model)).toMatch(/^1 .*give files, not -/);
    expect(await end("export", "./none.jsonl", ...model)).toMatch(/^2 /);
    expect(await end("export", "./runs.jsonl", "--evaluator", "lexical")).toMatch(
      /^1 .*cannot be asked through batch files/,
    );
    expect(await end("export", "./runs.jsonl", ...model, "--evaluator", "decisions")).toMatch(
      /^1 .*batch files/,
    );
  });
});
