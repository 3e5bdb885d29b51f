import { afterEach, describe, expect, it } from "vitest";
import { openaiDecisionsEvaluator, openaiEvaluator, parseCapability } from "../evaluators/openai/index.ts";
import { scriptedEvaluator } from "../evaluators/scripted/index.ts";
import type { JsonObject, TopLogprob } from "../schema/index.ts";
import {
  BAD_DAYS,
  decisionAnswers,
  startModelServer,
  type BadDay,
  type ModelServer,
  type ServerBehaviour,
} from "../testing/model-server/index.ts";
import { probeEvaluator, type ProbeReport } from "./index.ts";

const KEY = "sk-canary-5512-probe";
const AT = "2026-11-30T12:00:00.000Z";
const servers: ModelServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

type Script = (request: { n: number; body: JsonObject }) => BadDay | ServerBehaviour | undefined;

/** Probes a server that follows a script. */
async function probe(
  script: Script = () => undefined,
  more: { preset?: string; model?: string; timeoutMs?: number } = {},
) {
  const server = await startModelServer({ script });
  servers.push(server);
  const { preset = "compatible", model = "m-1", timeoutMs = 20_000 } = more;
  const at = (temperature?: number) =>
    openaiEvaluator({
      model,
      preset,
      baseUrl: server.baseUrl,
      apiKey: KEY,
      maxAttempts: 1,
      timeoutMs,
      ...(temperature !== undefined && { temperature }),
    });
  const report = await probeEvaluator(at(), { preset, atTemperature: at, at: AT });
  expect(JSON.stringify(report)).not.toContain(KEY);
  return { report, server };
}

const failed = ({ checks }: ProbeReport) => checks.filter(({ ok }) => !ok).map(({ name }) => name);
const detail = ({ checks }: ProbeReport, name: string) => checks.find((check) => check.name === name)?.detail;
/** Changes every listed log-probability of a good answer. */
const listed = (change: (logprob: number, place: number) => number): ServerBehaviour => ({
  do: "answer",
  change: (completion) => {
    const [choice] = completion["choices"] as unknown as [
      { logprobs: { content: [{ top_logprobs: TopLogprob[] }] } },
    ];
    choice.logprobs.content[0].top_logprobs.forEach((entry, place) => {
      entry.logprob = change(entry.logprob!, place);
    });
  },
});

describe("a probe of a good server", () => {
  it("passes with eight calls, and its report is one that score reads", async () => {
    const { report, server } = await probe();
    expect(failed(report)).toEqual([]);
    expect(report).toMatchObject({
      schema_version: "asv.capability.v1",
      endpoint: "local",
      model: "m-1",
      preset: "compatible",
      ok: true,
      at: AT,
      calls: 8,
      repeat_noise: 0,
      top_k: { asked: 20, returned: 20 },
    });
    expect(report.label_mass).toBeCloseTo(0.95, 9);
    expect(report.checks.map(({ name }) => name)).toEqual([
      "answered",
      "no_reasoning",
      "reacts_to_prompt",
      "repeat_noise",
      "model_returned",
      "temperature",
      "labels_listed",
      "real_values",
      "top_k",
    ]);
    expect(server.counts.requests).toBe(8);
    expect(parseCapability(JSON.parse(JSON.stringify(report)), "f")).toEqual(report);
    const options = { model: "m-1", baseUrl: server.baseUrl, capability: report };
    expect(openaiEvaluator(options).settings.model).toBe("m-1");
  });

  it("asks four different prompts in the form of measured ones, each answer under another label", async () => {
    const { server } = await probe();
    const prompts = server.requests
      .slice(0, 4)
      .map(({ body }) => (body["messages"] as [{ content: string }])[0].content);
    expect(new Set(prompts).size).toBe(4);
    for (const prompt of prompts) {
      expect(prompt).toMatch(
        /\nOption labels:\nA = candidate_id: cand-1\nB = [^]*D = candidate_id: cand-4\n/,
      );
      expect(prompt).toMatch(/Output exactly one uppercase option label\.$/);
    }
    expect(server.requests.map(({ body }) => body["temperature"])).toEqual([1, 1, 1, 1, 1, 1, 0, 2]);
  });

  it("counts how many answers are right, without making it a check", async () => {
    const right = scriptedEvaluator({
      reply: ({ candidates }, call) =>
        Object.fromEntries(candidates.map(({ id }, i) => [id, i === call % 4 ? -0.1 : -5])),
    });
    const report = await probeEvaluator(right, { preset: "none", at: AT });
    expect(report.right_answers).toEqual({ right: 4, asked: 4 });
    const { report: other } = await probe();
    expect(other.right_answers?.asked).toBe(4);
    expect(other.ok).toBe(true);
  });
});

/** What each bad day must be found out as, when it happens to every request. */
const everyDay: Record<BadDay, readonly string[]> = {
  "retry-after-120": ["answered"],
  "too-many": ["answered"],
  "no-credit": ["answered"],
  "wrong-key": ["answered"],
  "not-found": ["answered"],
  "bad-request": ["answered"],
  "server-error": ["answered"],
  hang: ["answered"],
  reset: ["answered"],
  "torn-json": ["answered"],
  html: ["answered"],
  "bare-infinity": ["answered"],
  sentinels: ["labels_listed", "real_values"],
  "empty-list": ["answered"],
  "all-zero": ["reacts_to_prompt", "real_values"],
  "no-logprobs": ["answered"],
  "no-logprobs-field": ["answered"],
  "label-missing": ["labels_listed"],
  // Labels with a space before them are read as labels, and usage is nice to have.
  "label-variants": [],
  "no-usage": [],
  reasoning: ["answered", "no_reasoning"],
  refusal: ["answered"],
  "wrong-model": ["model_returned"],
  "used-up-window": [],
};
/** These wait for minutes by design; their waiting is tested where the client is. */
const slow: readonly BadDay[] = ["retry-after-120", "used-up-window"];

describe("a probe on a bad day", () => {
  it.each(BAD_DAYS.filter((day) => !slow.includes(day)))("%s", async (day) => {
    const { report } = await probe(() => day, day === "hang" ? { timeoutMs: 100 } : {});
    expect(failed(report)).toEqual(everyDay[day]);
    expect(report.ok).toBe(everyDay[day].length === 0);
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });

  it("says in the server's terms why there was no answer", async () => {
    const why = async (day: BadDay) => detail((await probe(() => day)).report, "answered");
    expect(await why("empty-list")).toMatch(/no_logprobs: .*list of top log-probabilities is empty/);
    expect(await why("no-logprobs-field")).toMatch(/no_logprobs: .*no log-probabilities/);
    expect(await why("wrong-key")).toMatch(/status 401, the key was not accepted/);
    expect(await why("refusal")).toMatch(/refusal: .*refused/);
    const { report } = await probe(() => "hang", { timeoutMs: 100 });
    expect(detail(report, "answered")).toMatch(/no answer within 100 ms/);
  });

  it("stops after one call that every later one would share", async () => {
    for (const day of ["wrong-key", "not-found", "no-credit"] as const) {
      const { report, server } = await probe(() => day);
      expect([report.calls, server.counts.requests]).toEqual([1, 1]);
    }
  });

  it("one bad answer among good ones fails it, and the rest is still told", async () => {
    const { report } = await probe(({ n }) => (n === 2 ? "torn-json" : undefined));
    expect(failed(report)).toEqual(["answered"]);
    expect(detail(report, "answered")).toMatch(/^1 of 6 calls brought no usable answer/);
    expect(report).toMatchObject({ repeat_noise: 0, calls: 8 });
  });

  it("a failed report is refused by the evaluator that would score", async () => {
    const { report, server } = await probe(() => "label-missing");
    const options = { model: "m-1", baseUrl: server.baseUrl, capability: report };
    expect(() => openaiEvaluator(options)).toThrow(/failed its probe of 2026-11-30.*labels_listed/);
    expect(openaiEvaluator({ ...options, ignoreProbe: true }).settings.kind).toBe("openai");
  });
});

describe("noise", () => {
  it("is the largest difference between answers to one prompt, in nats", async () => {
    // The first prompt is asked as number 0, 4 and 5.
    const { report } = await probe(({ n }) =>
      n >= 4 ? listed((value) => value - 0.06 * (n - 3)) : undefined,
    );
    expect(report.repeat_noise).toBeCloseTo(0.12, 9);
    expect(report.ok).toBe(true);
  });

  it("fails beyond half a nat", async () => {
    const { report } = await probe(({ n }) => (n === 5 ? listed((value) => value - 0.6) : undefined));
    expect(failed(report)).toEqual(["repeat_noise"]);
  });
});

describe("temperature", () => {
  const scaled: Script = ({ body }) => {
    const temperature = body["temperature"] as number;
    return temperature === 2 ? listed((value) => value / 2) : undefined;
  };
  it("may move the values of a server that is asked at 1", async () => {
    const { report } = await probe(scaled);
    expect(report.ok).toBe(true);
    expect(detail(report, "temperature")).toMatch(/differ by .* calls are made at 1/);
  });

  it("fails one that is asked at 0 because its values were thought to be raw", async () => {
    const { report } = await probe(scaled, { preset: "vllm" });
    expect(failed(report)).toEqual(["temperature"]);
    expect(detail(report, "temperature")).toMatch(/score at temperature 1, not 0/);
  });

  it("is not known where the server takes no such value, which fails nothing", async () => {
    const { report } = await probe(({ body }) => (body["temperature"] === 2 ? "bad-request" : undefined));
    expect(report.ok).toBe(true);
    expect(detail(report, "temperature")).toMatch(/^not known/);
  });
});

describe("the model that answered", () => {
  const named =
    (model: string): Script =>
    () => ({ do: "answer", change: (completion) => void (completion["model"] = model) });
  it.each([
    ["m-1", "m-1-2026-04-14", true],
    ["vendor/m-1", "m-1", true],
    ["m-1", "vendor/M-1-fp8", true],
    ["m-1", "m-2", false],
    ["gpt-4.1-mini", "gpt-4.1", false],
  ])("%s asked, %s answered: fit is %s", async (model, answered, ok) => {
    const { report } = await probe(named(answered), { model });
    expect(report.ok).toBe(ok);
  });

  it("may have a name of the server's own where that is how the server works", async () => {
    const evaluator = scriptedEvaluator({
      settings: { model: "my-deployment" },
      reply: ({ labelToCandidate, question }) => ({
        form: "logprobs",
        topLogprobs: Object.keys(labelToCandidate).map((token, i) => ({
          token,
          logprob: -1 - i - question.length / 100,
        })),
        topkAsked: 4,
        model: "gpt-4.1",
        flags: [],
      }),
    });
    expect((await probeEvaluator(evaluator, { preset: "azure", at: AT })).ok).toBe(false);
    const report = await probeEvaluator(evaluator, { preset: "azure", renamesModels: true, at: AT });
    expect(failed(report)).toEqual([]);
  });
});

describe("other evaluators", () => {
  it("one that returns scores itself is asked what applies to it", async () => {
    const server = await startModelServer({ script: decisionAnswers() });
    servers.push(server);
    const evaluator = openaiDecisionsEvaluator({ model: "d-1", baseUrl: server.baseUrl });
    const report = await probeEvaluator(evaluator, { preset: "openai", at: AT });
    expect(report.checks.map(({ name }) => name)).toEqual([
      "answered",
      "no_reasoning",
      "reacts_to_prompt",
      "repeat_noise",
      "model_returned",
    ]);
    expect(report).toMatchObject({ ok: true, calls: 6 });
    expect(report).not.toHaveProperty("top_k");
  });

  it("an answer that never changes is found out", async () => {
    const deaf = scriptedEvaluator({
      reply: ({ candidates }) => Object.fromEntries(candidates.map(({ id }, i) => [id, -1 - i])),
    });
    expect(failed(await probeEvaluator(deaf, { preset: "none" }))).toEqual(["reacts_to_prompt"]);
  });

  it("ends with the caller's reason when it is stopped", async () => {
    const stop = new AbortController();
    const reason = new Error("enough");
    const evaluator = scriptedEvaluator({ before: async (call) => void (call === 2 && stop.abort(reason)) });
    await expect(probeEvaluator(evaluator, { preset: "none", signal: stop.signal })).rejects.toBe(reason);
    expect(evaluator.calls.score).toBe(3);
  });
});
