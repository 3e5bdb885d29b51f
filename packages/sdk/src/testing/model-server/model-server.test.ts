import { describe, expect, it, onTestFinished } from "vitest";
import type { JsonObject } from "../../schema/index.ts";
import { BAD_DAYS, startModelServer, type ModelServer, type ModelServerOptions } from "./index.ts";

const prompt =
  "candidate_id: c1\n| one\ncandidate_id: c2\n| two\n\nOption labels:\nA = candidate_id: c2\nB = candidate_id: c1\n\n";

async function serve(options: ModelServerOptions = {}): Promise<ModelServer> {
  const server = await startModelServer(options);
  onTestFinished(() => server.close());
  return server;
}
const ask = (server: ModelServer, more: JsonObject = {}) =>
  fetch(`${server.baseUrl}/chat/completions`, {
    method: "POST",
    body: JSON.stringify({
      model: "m",
      messages: [{ role: "user", content: prompt }],
      max_tokens: 1,
      logprobs: true,
      top_logprobs: 5,
      ...more,
    }),
  });
interface Answer {
  choices: [
    {
      message: { content: string };
      finish_reason: string;
      logprobs: { content: [{ token: string; top_logprobs: { token: string; logprob: number }[] }] } | null;
    },
  ];
}
const answer = async (response: Promise<Response>) => (await (await response).json()) as Answer;

describe("startModelServer", () => {
  it("answers the same prompt with the same bytes, whenever and wherever", async () => {
    const [one, two] = [await serve(), await serve()];
    const text = await (await ask(one)).text();
    expect(await (await ask(one)).text()).toBe(text);
    expect(await (await ask(two)).text()).toBe(text);
    expect(one.counts).toMatchObject({ requests: 2, scored: 2, rationale: 0, repeated: 1, abandoned: 0 });
  });

  it("lists as many tokens as were asked for, sorted, with at most all of the probability, and emits the first", async () => {
    const { choices } = await answer(ask(await serve(), { top_logprobs: 20 }));
    const [first] = choices[0].logprobs!.content;
    const values = first.top_logprobs.map(({ logprob }) => logprob);
    expect(values).toHaveLength(20);
    expect(values).toEqual(values.toSorted((a, b) => b - a));
    expect(values.reduce((sum, value) => sum + Math.exp(value), 0)).toBeLessThanOrEqual(1);
    expect([first.token, choices[0].message.content]).toEqual(Array(2).fill(first.top_logprobs[0]!.token));
  });

  it("moves labels with the mapping and leaves candidates alone", async () => {
    const server = await serve();
    const turned = prompt.replace(
      "A = candidate_id: c2\nB = candidate_id: c1",
      "A = candidate_id: c1\nB = candidate_id: c2",
    );
    const scores = async (content: string) => {
      const { choices } = await answer(ask(server, { messages: [{ role: "user", content }] }));
      const list = choices[0].logprobs!.content[0].top_logprobs;
      return ["A", "B"].map((label) => list.find(({ token }) => token === label)!.logprob);
    };
    const [a, b] = await scores(prompt);
    expect(await scores(turned)).toEqual([b, a]);
    expect(a).not.toBe(b);
  });

  it("writes a rationale where no log-probabilities are asked for, and cuts it at the limit", async () => {
    const server = await serve();
    const whole = await answer(ask(server, { logprobs: false, max_tokens: 128 }));
    expect(whole.choices[0]).toMatchObject({ finish_reason: "stop", logprobs: null });
    expect(whole.choices[0].message.content).toMatch(/^c1 is .*\nc2 is /);
    const cut = await answer(ask(server, { logprobs: false, max_tokens: 2 }));
    expect([cut.choices[0].finish_reason, cut.choices[0].message.content.length]).toEqual(["length", 8]);
    expect(server.counts).toMatchObject({ scored: 0, rationale: 2 });
  });

  it.each(BAD_DAYS.filter((day) => day !== "hang" && day !== "reset"))(
    "%s is an answer of some kind",
    async (day) => {
      const server = await serve({ script: [day] });
      const bad = await ask(server);
      const good = await ask(server);
      expect(good.status).toBe(200);
      const [text, plain] = [await bad.text(), await good.text()];
      // What differs from a good day is the status, the headers or the body.
      const same =
        bad.status === 200 && text === plain && bad.headers.get("x-ratelimit-reset-requests") === null;
      expect(same).toBe(false);
    },
  );

  it("breaks off in the body, and hangs until it is closed", async () => {
    const server = await startModelServer({ script: ["reset", "hang"], keep: 1 });
    const broken = await ask(server);
    expect(broken.status).toBe(200);
    await expect(broken.text()).rejects.toThrow();
    const hanging = ask(server).catch((error: unknown) => error);
    while (server.counts.requests < 2) await new Promise((resolve) => setTimeout(resolve, 2));
    await server.close();
    expect(await hanging).toBeInstanceOf(Error);
    expect(server.requests.map(({ n }) => n)).toEqual([1]);
  });
});
