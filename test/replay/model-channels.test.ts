import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startModelServer, type ModelServer, type ModelServerOptions } from "@agent-step-value/sdk/testing";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { asvBeside, asvBesideDone } from "./asv-async.ts";
import { asvDone, folder } from "./asv.ts";

const stored = fileURLToPath(
  new URL("../../examples/quickstart/data/evidence-questions.asv.jsonl", import.meta.url),
);
const CHANNELS = [
  "direct",
  "rationale-128",
  "rationale-512",
  "extractive",
  "candidate-only",
  "direct@evidence",
  "rationale-128@evidence",
];
const KEY = "sk-canary-2f8a61d90c47";

interface Line {
  record: string;
  task_id: string;
  state_sha256: string;
  protocol_id: string;
  scores?: Record<string, number>;
}

let runs: string[] = [];
beforeAll(() => {
  const at = mkdtempSync(join(tmpdir(), "asv-runs-"));
  asvDone(at, "import", "asv-v1", stored, "--out", "runs.jsonl");
  asvDone(at, "candidates", "freeze", "runs.jsonl", "--reviewer", "a person");
  runs = readFileSync(join(at, "runs.jsonl"), "utf8").trimEnd().split("\n");
  rmSync(at, { recursive: true });
});

/** A folder with the first trajectories of the quickstart, imported and frozen. */
function prepared(trajectories: number): string {
  const at = folder();
  writeFileSync(join(at, "runs.jsonl"), `${runs.slice(0, trajectories).join("\n")}\n`);
  return at;
}
async function serve(options: ModelServerOptions = {}): Promise<ModelServer> {
  const server = await startModelServer(options);
  onTestFinished(() => server.close());
  return server;
}
const score = (server: ModelServer, ...more: string[]) => [
  "score",
  "runs.jsonl",
  "--evaluator",
  "openai",
  "--model",
  "m-1",
  "--base-url",
  server.baseUrl,
  "--cache",
  "cache",
  "--out",
  "scores.jsonl",
  ...more,
];
const readLines = (at: string, file: string): Line[] =>
  readFileSync(join(at, file), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
const paid = ({ counts }: ModelServer) => counts.scored + counts.rationale;
function cachedReplies(at: string): number {
  const cache = join(at, "cache");
  const lines = readdirSync(cache).flatMap((name) => readFileSync(join(cache, name), "utf8").split("\n"));
  const replies = lines.filter((line) => line !== "");
  for (const line of replies) JSON.parse(line);
  return replies.length;
}
async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 4000 && !condition(); i++) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(condition()).toBe(true);
}

describe("the paper's channels against a model server", { timeout: 120_000 }, () => {
  it("score one stored file, each with the calls its dry run said", async () => {
    const at = prepared(3);
    const server = await serve();
    const protocols: string[] = [];
    const all: string[] = [];
    for (const channel of CHANNELS) {
      const args = score(server, "--protocol", channel, "--mappings", "balanced:4", "--json");
      const plan = JSON.parse((await asvBesideDone(at, {}, ...args, "--dry-run")).stdout);
      const before = { ...server.counts };
      expect(before.requests).toBe(paid(server));
      const outcome = JSON.parse((await asvBesideDone(at, {}, ...args)).stdout);
      const asked = {
        scored: server.counts.scored - before.scored,
        rationale: server.counts.rationale - before.rationale,
      };
      expect(asked).toEqual({ scored: plan.scoredCalls, rationale: plan.rationaleCalls });
      expect(outcome).toMatchObject({
        scored: plan.records,
        unscored: 0,
        calls: plan.scoredCalls + plan.rationaleCalls,
      });
      protocols.push(readLines(at, "scores.jsonl")[0]!.protocol_id);
      all.push(readFileSync(join(at, "scores.jsonl"), "utf8"));
      writeFileSync(join(at, `${channel}.jsonl`), all.at(-1)!);
    }
    expect(server.counts.repeated).toBe(0);
    expect(new Set(protocols).size).toBe(CHANNELS.length);

    // Another task's rationales, as the control that no call has to write.
    const { counts } = server;
    const before = counts.rationale;
    const swapped = score(server, "--protocol", "swapped-128", "--mappings", "balanced:4", "--json");
    const control = await asvBeside(at, {}, ...swapped, "--swapped-from", "rationale-128.jsonl").ended;
    expect(control.stderr).not.toMatch(/asv:/);
    expect(JSON.parse(control.stdout).scored).toBeGreaterThan(0);
    expect(counts.rationale).toBe(before);

    // All of them in one file, about the very same states.
    writeFileSync(join(at, "all.jsonl"), all.join(""));
    const states = protocols.map((protocol) => {
      const scores = readLines(at, "all.jsonl").filter(
        (line) => line.record === "score" && line.protocol_id === protocol,
      );
      return [...new Set(scores.map((line) => `${line.task_id} ${line.state_sha256}`))].toSorted();
    });
    for (const channel of states) expect(channel).toEqual(states[0]);

    const report = (protocol: string) =>
      JSON.parse(
        asvDone(at, "report", "runs.jsonl", "all.jsonl", "--protocol", protocol, "--out", "report", "--json")
          .stdout,
      );
    expect(report("direct").margin_gain.mean).not.toBe(0);
    // What never shows the state cannot move with it.
    const blind = report("candidate-only");
    expect(blind.counts.measured).toBe(blind.counts.steps);
    for (const line of readFileSync(join(at, "report/steps.jsonl"), "utf8").trimEnd().split("\n")) {
      expect(JSON.parse(line).diagnostics).toMatchObject({
        margin_gain: 0,
        surprise: 0,
        damage: false,
        repair: false,
      });
    }
  });

  it.each(["SIGKILL", "SIGINT"] as const)(
    "a run ended by %s resumes without paying for anything twice",
    async (signal) => {
      const at = prepared(4);
      let open = false;
      const server = await serve({ script: ({ n }) => (open || n < 40 ? undefined : "hang") });
      const args = score(
        server,
        "--protocol",
        "rationale-128",
        "--mappings",
        "balanced:4",
        "--api-key-env",
        "CANARY_KEY",
      );
      const plan = JSON.parse(
        (await asvBesideDone(at, { CANARY_KEY: KEY }, ...args, "--dry-run", "--json")).stdout,
      );
      const first = asvBeside(at, { CANARY_KEY: KEY }, ...args);
      await until(() => server.counts.requests >= 44);
      await until(() => cachedReplies(at) === 40);
      first.kill(signal);
      const { status, stderr } = await first.ended;
      open = true;
      let resume = args;
      if (signal === "SIGINT") {
        expect(status).toBe(130);
        const command = /resume with: npx asv (.*)/.exec(stderr)![1]!;
        expect(command).toMatch(
          /--base-url \S+ --api-key-env CANARY_KEY .*--protocol rationale-128 --mappings balanced:4/,
        );
        resume = command.split(" ");
      }
      await asvBesideDone(at, { CANARY_KEY: KEY }, ...resume);
      expect(server.counts.repeated).toBe(0);
      expect(paid(server)).toBe(plan.scoredCalls + plan.rationaleCalls);
      expect(server.requests.every(({ headers }) => headers["authorization"] === `Bearer ${KEY}`)).toBe(true);

      const fresh = prepared(4);
      await asvBesideDone(fresh, { CANARY_KEY: KEY }, ...args);
      expect(readFileSync(join(at, "scores.jsonl"), "utf8")).toBe(
        readFileSync(join(fresh, "scores.jsonl"), "utf8"),
      );
    },
  );

  it("a budget ends with exit 5 and a whole file, and the next run goes on", async () => {
    const at = prepared(3);
    const server = await serve();
    writeFileSync(join(at, "prices.json"), JSON.stringify({ promptPerMillion: 1, completionPerMillion: 4 }));
    const args = score(server, "--mappings", "balanced:4", "--prices", "prices.json", "--json");
    const plan = JSON.parse((await asvBesideDone(at, {}, ...args, "--dry-run")).stdout);
    const stopped = await asvBeside(at, {}, ...args, "--max-usd", String(plan.usd / 3)).ended;
    expect(stopped.status).toBe(5);
    expect(stopped.stderr).toMatch(/resume with: .*--max-usd \S+ --prices prices\.json/);
    const outcome = JSON.parse(stopped.stdout);
    expect(outcome).toMatchObject({ stoppedBy: "budget", calls: server.counts.requests });
    expect(outcome.usd).toBeLessThanOrEqual(plan.usd / 3);
    expect(outcome.scored + outcome.unscored).toBe(plan.records);
    expect(readLines(at, "scores.jsonl")).toHaveLength(1 + plan.records);
    const rest = JSON.parse((await asvBesideDone(at, {}, ...args)).stdout);
    expect(rest).toMatchObject({ scored: plan.records, unscored: 0 });
    expect([server.counts.requests, server.counts.repeated]).toEqual([plan.scoredCalls, 0]);
  });

  it("two processes may share one cache", async () => {
    const at = prepared(4);
    const server = await serve({ latencyMs: 3 });
    const args = score(server, "--mappings", "balanced:4", "--json");
    const twice = ["a.jsonl", "b.jsonl"].map((out) => asvBeside(at, {}, ...args, "--out", out).ended);
    const both = await Promise.all(twice);
    expect(both.map(({ status }) => status)).toEqual([0, 0]);
    const plan = JSON.parse(both[0]!.stdout);
    expect(readFileSync(join(at, "a.jsonl"), "utf8")).toBe(readFileSync(join(at, "b.jsonl"), "utf8"));
    // Every line of it can be read, and a third run asks nothing.
    expect(cachedReplies(at)).toBeGreaterThanOrEqual(plan.scored);
    const { requests } = server.counts;
    await asvBesideDone(at, {}, ...args);
    expect(server.counts.requests).toBe(requests);
    expect(readFileSync(join(at, "scores.jsonl"), "utf8")).toBe(readFileSync(join(at, "a.jsonl"), "utf8"));
  });
});

describe("keys and refusals", { timeout: 120_000 }, () => {
  it("the key goes to the server and nowhere else", async () => {
    const at = prepared(1);
    const server = await serve({
      script: ({ n }) =>
        n < 3 ? undefined : { do: "json", status: 401, json: { error: { message: `bad key ${KEY}` } } },
    });
    const { status, stdout, stderr } = await asvBeside(
      at,
      { MY_KEY: KEY },
      ...score(server, "--api-key-env", "MY_KEY"),
    ).ended;
    expect(status).toBe(4);
    expect(stderr).toMatch(/the key was not accepted/);
    expect(stderr).toMatch(/what was answered is kept; resume with: npx asv score .*--api-key-env MY_KEY/);
    expect(server.requests[0]!.headers["authorization"]).toBe(`Bearer ${KEY}`);
    const files = readdirSync(at, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const written = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
    expect(written.length).toBeGreaterThan(1);
    expect([stdout, stderr, ...written].filter((text) => text.includes(KEY.slice(3)))).toEqual([]);
  });

  it("a provider's usual key is never sent to another address", async () => {
    const at = prepared(1);
    const server = await serve();
    await asvBesideDone(
      at,
      { OPENAI_API_KEY: KEY, DEEPSEEK_API_KEY: KEY },
      ...score(server, "--preset", "deepseek"),
    );
    expect(server.counts.requests).toBeGreaterThan(0);
    expect(JSON.stringify(server.requests)).not.toContain(KEY);
    expect(server.requests[0]!.body["thinking"]).toEqual({ type: "disabled" });
  });

  it("says which model answered when it is another", async () => {
    const at = prepared(1);
    const server = await serve({ script: () => "wrong-model" });
    const { stderr } = await asvBesideDone(at, {}, ...score(server));
    expect(stderr).toMatch(/asked for the model m-1, but another-model-1 answered/);
  });

  it("names why states are unscored", async () => {
    const at = prepared(1);
    const server = await serve({ script: ({ n }) => (n === 1 ? "refusal" : undefined) });
    const { status, stderr } = await asvBeside(at, {}, ...score(server)).ended;
    expect(status).toBe(4);
    expect(stderr).toMatch(/1 unscored because of refusal \(1\)/);
  });

  it("refuses before anything is sent", async () => {
    const at = prepared(1);
    const server = await serve();
    const probe = {
      schema_version: "asv.capability.v1",
      endpoint: "local",
      model: "m-1",
      preset: "compatible",
      at: "2026-11-30",
      ok: false,
    };
    writeFileSync(
      join(at, "probe.json"),
      JSON.stringify({ ...probe, checks: [{ name: "labels_listed", ok: false, detail: "2 of 4" }] }),
    );
    const cases: [string[], number, RegExp][] = [
      [["--capabilities", "probe.json"], 1, /failed its probe.*labels_listed: 2 of 4/],
      [["--model", "deepseek-reasoner"], 1, /deepseek-reasoner.*reasons first/],
      [["--preset", "fireworks", "--top-logprobs", "20"], 1, /fireworks lists at most 5/],
      [["--top-logprobs", "3"], 1, /has 4 candidates; evaluator openai can list 3/],
      [["--preset", "nosuch"], 1, /no provider preset "nosuch"/],
      [["--api-key-env", "NO_SUCH_KEY"], 1, /NO_SUCH_KEY holds no key/],
      [["--base-url", "https://me:sesame@host/v1"], 1, /no user name or password/],
      [["--body", "{"], 1, /--body must be a JSON object/],
    ];
    for (const [more, status, says] of cases) {
      const ended = await asvBeside(at, {}, ...score(server), ...more).ended;
      expect([more, ended.status, ended.stderr]).toEqual([more, status, expect.stringMatching(says)]);
    }
    expect(server.counts.requests).toBe(0);
    await asvBesideDone(at, {}, ...score(server, "--capabilities", "probe.json", "--ignore-probe"));
    expect(server.counts.requests).toBeGreaterThan(0);
    expect((await asvBesideDone(at, {}, "score", "--evaluator", "list")).stdout).toMatch(
      /^lexical .*\nopenai /,
    );
  });
});
