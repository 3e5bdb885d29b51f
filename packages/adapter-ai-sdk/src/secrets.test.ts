import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { SpanBook, useContextManager } from "./captured.test-support.ts";
import { withASVCapture } from "./index.ts";
import { majors, stopAfter, type AI, type Turn } from "./majors.test-support.ts";
import { agentClass, drain, hostOf, outcomeOf } from "./scenarios.test-support.ts";

/** One secret in every form it is planted in. It is of a provider's format, and stands for itself alone. */
const CANARY = "sk-proj-Qv7xT2mLw9KdR4sJ8bYnC6hF1gZa3PeU5iOtXkM0";
const ENCODED = Buffer.from(JSON.stringify({ api_key: CANARY, page: "pad 7 ".repeat(80) })).toString(
  "base64",
);
const IMAGE = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47]), Buffer.from(CANARY.repeat(20))]);
const FORMS = [
  CANARY,
  CANARY.slice(8, 30),
  ENCODED,
  ENCODED.slice(0, 60),
  IMAGE.toString("base64").slice(0, 80),
  Buffer.from(CANARY).toString("base64"),
];

const folder = mkdtempSync(join(tmpdir(), "asv-ai-sdk-secrets-"));
const said: string[] = [];
let withoutManager: () => void;

beforeAll(() => {
  withoutManager = useContextManager();
  for (const method of ["log", "warn", "error", "info", "debug"] as const) {
    vi.spyOn(console, method).mockImplementation(
      (...args: unknown[]) => void said.push(args.map(String).join(" ")),
    );
  }
});
afterAll(() => {
  withoutManager();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

/** Every byte that left: file, spans with their events and status, console. */
function everything(file: string, spans: SpanBook): string {
  const exported = spans.ended.map((span) => ({
    name: span.name,
    attributes: span.attributes,
    events: span.events,
    status: span.status,
    links: span.links.map((link) => link.attributes),
    resource: span.resource.attributes,
  }));
  return [readFileSync(file, "utf8"), JSON.stringify(exported), ...said].join("\n");
}

function expectNoCanary(text: string): void {
  expect(text.length).toBeGreaterThan(1000);
  for (const form of FORMS) expect(text.includes(form), `leaked: ${form.slice(0, 12)}...`).toBe(false);
}

function planted(ai: AI) {
  return {
    fetch: ai["tool"]({
      description: `Fetches with ${CANARY}.`,
      inputSchema: z.object({ url: z.string(), headers: z.record(z.string(), z.string()) }),
      execute: async () => ({
        text: [
          `Authorization: Bearer ${CANARY}`,
          `https://host.test/page?access_token=${CANARY}&q=1`,
          JSON.stringify({ nested: JSON.stringify({ deeper: { password: CANARY } }) }),
          ENCODED,
        ].join("\n"),
        settings: { authorization_token: CANARY, [CANARY]: "as a key" },
        blob: Buffer.from(CANARY),
      }),
    }),
    broken: ai["tool"]({
      description: "Breaks.",
      inputSchema: z.object({}),
      execute: async () => {
        throw new Error(`401 for key ${CANARY}`);
      },
    }),
  };
}

const turns: readonly Turn[] = [
  {
    text: `I use ${CANARY}`,
    reasoning: `with ${CANARY}`,
    calls: [
      {
        id: CANARY,
        tool: "fetch",
        input: {
          url: `https://host.test/?api_key=${CANARY}`,
          headers: { Authorization: `Bearer ${CANARY}`, Cookie: `session=${CANARY}` },
        },
      },
      { id: "2", tool: "broken", input: {} },
    ],
  },
  { text: `The key is ${CANARY}.` },
];

const question = () => ({
  role: "user",
  content: [
    {
      type: "text",
      text: `My key is ${CANARY}; and api_key=${CANARY}`,
      providerOptions: { any: { token: CANARY } },
    },
    { type: "image", image: new Uint8Array(IMAGE), mediaType: "image/png" },
    {
      type: "image",
      image: new URL(`https://user:${CANARY}@host.test/picture.png?token=${CANARY}#${CANARY}`),
    },
    { type: "file", data: IMAGE.toString("base64"), mediaType: "application/pdf", filename: `${CANARY}.pdf` },
  ],
  providerOptions: { any: { api_key: CANARY } },
});

describe.each(majors)("ai $major: a secret planted everywhere", (major) => {
  const settings = (ai: AI) => ({
    model: hostOf(major, ai).model(turns),
    tools: planted(ai),
    stopWhen: stopAfter(major, 3),
    messages: [question()],
    [major.major === 7 ? "instructions" : "system"]: `You are trusted with ${CANARY}.`,
    headers: { authorization: `Bearer ${CANARY}`, "x-api-key": CANARY },
    providerOptions: { scripted: { apiKey: CANARY } },
    experimental_context: { token: CANARY },
    runtimeContext: { token: CANARY },
    toolsContext: { fetch: { token: CANARY } },
    ...(major.major === 7
      ? { telemetry: { functionId: `f ${CANARY}`, includeRuntimeContext: { token: true } } }
      : { experimental_telemetry: { functionId: `f ${CANARY}`, metadata: { token: CANARY } } }),
  });

  it.each(["generateText", "streamText", "agent"])(
    "%s leaves it nowhere, and the host keeps it",
    async (way) => {
      const file = join(folder, `${major.major}-${way}.jsonl`);
      const spans = new SpanBook();
      const ai = withASVCapture(major.ai as never, {
        file,
        tracerProvider: spans.provider,
        metadata: { apiKey: CANARY, note: `key ${CANARY}` },
        task: ({ messages }: any) => ({ id: CANARY, question: messages[0].content[0].text }),
      }) as AI;
      const call = settings(ai);
      if (way === "generateText") {
        const { text, steps } = await ai["generateText"](call);
        expect(text).toContain(CANARY);
        expect(JSON.stringify(steps).split(CANARY).length).toBeGreaterThan(5);
      } else if (way === "streamText") {
        expect(JSON.stringify(await drain(ai["streamText"](call).fullStream))).toContain(CANARY);
      } else {
        const { messages, ...rest } = call;
        const agent = new (agentClass(hostOf(major, ai)))(rest);
        expect((await agent.generate({ messages })).text).toContain(CANARY);
      }
      expect(call.messages).toEqual([question()]);
      const out = everything(file, spans);
      expectNoCanary(out);
      // What is no secret is still there.
      expect(out).toContain("[BYTES:image/png:");
      expect(out).toContain("The key is [SECRET:");
      expect(out).toContain("https://host.test/picture.png");
      expect(out).toContain("401 for key [SECRET:");
      expect(out).not.toContain("requestBody");
      expect(out).not.toContain("x-api-key");
    },
  );

  it("an error with it, a request that carries it, and words cut off by an abort", async () => {
    const file = join(folder, `${major.major}-errors.jsonl`);
    const spans = new SpanBook();
    const ai = withASVCapture(major.ai as never, { file, tracerProvider: spans.provider }) as AI;
    const refused = new ai["APICallError"]({
      message: `401 for ${CANARY}`,
      url: `https://host.test/?key=${CANARY}`,
      requestBodyValues: { authorization: CANARY, messages: [CANARY] },
      responseHeaders: { "set-cookie": CANARY },
      responseBody: CANARY,
      statusCode: 401,
    });
    const host = hostOf(major, ai);
    await outcomeOf(() =>
      ai["generateText"]({
        model: host.model([{ throws: refused }]),
        prompt: `Use ${CANARY}`,
        maxRetries: 0,
      }),
    );
    const leaving = ai["streamText"]({
      model: host.model([{ text: `Key ${CANARY} is what I was given and more.` }]),
      prompt: "x",
    });
    let words = 0;
    for await (const _ of leaving.textStream) if (++words === 3) break;
    await outcomeOf(() =>
      ai["generateObject"]({
        model: host.model([{ text: JSON.stringify({ key: CANARY }) }]),
        prompt: "x",
        schema: z.object({ key: z.string() }),
      }),
    );
    const out = everything(file, spans);
    expectNoCanary(out);
    expect(out).toContain("401 for [SECRET:");
    expect(out).toContain("Key [SECRET:");
    expect(out).not.toContain("set-cookie");
  });
});
