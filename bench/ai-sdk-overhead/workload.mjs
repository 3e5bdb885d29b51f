// The one workload of every variant: a tool loop of three model calls and three tool calls, two of them at once.
//   AI_MAJOR=7|6|5  STREAM=1 (streamText, read to its end)  PROMPT_KB=1  STEPS=3 (more: each searches once more)
const major = Number(process.env.AI_MAJOR ?? 7);
const streams = process.env.STREAM !== undefined;
const packageName = major === 7 ? "ai" : `ai-v${major}`;

/** The imported `ai` of the major that is measured. */
export const ai = await import(packageName);
const test = await import(`${packageName}/test`);
const { z } = await import("zod");

const Model = test.MockLanguageModelV4 ?? test.MockLanguageModelV3 ?? test.MockLanguageModelV2;
const usage =
  major === 5
    ? { inputTokens: 3, outputTokens: 5, totalTokens: 8 }
    : {
        inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 5, text: 5, reasoning: 0 },
      };
const finish = (reason) => (major === 5 ? reason : { unified: reason, raw: reason });
const call = (toolCallId, toolName, input) => ({
  type: "tool-call",
  toolCallId,
  toolName,
  input: JSON.stringify(input),
});
const stepCount = Number(process.env.STEPS ?? 3);
const turns = [
  [call("c1", "search", { q: "alpha" }), call("c2", "add", { a: 1, b: 2 })],
  ...Array.from({ length: stepCount - 3 }, (_, i) => [call(`s${i}`, "search", { q: `beta ${i}` })]),
  [call("c3", "add", { a: 3, b: 4 })],
  [{ type: "text", text: "The final answer is seven." }],
];

function streamParts(content, finishReason) {
  const parts = [{ type: "stream-start", warnings: [] }];
  for (const part of content) {
    if (part.type !== "text") {
      parts.push(part);
      continue;
    }
    parts.push({ type: "text-start", id: "t" });
    for (const word of part.text.split(" ")) parts.push({ type: "text-delta", id: "t", delta: `${word} ` });
    parts.push({ type: "text-end", id: "t" });
  }
  return [...parts, { type: "finish", finishReason, usage }];
}

function newModel() {
  let turn = 0;
  const next = () => {
    const content = turns[turn++];
    return { content, finishReason: finish(turn < turns.length ? "tool-calls" : "stop") };
  };
  return new Model({
    provider: "mock",
    modelId: "mock-1",
    doGenerate: async () => ({ ...next(), usage, warnings: [] }),
    doStream: async () => {
      const { content, finishReason } = next();
      return { stream: test.convertArrayToReadableStream(streamParts(content, finishReason)) };
    },
  });
}

const page = "lorem ipsum dolor sit amet ".repeat(40);
const tools = {
  search: ai.tool({
    description: "search",
    inputSchema: z.object({ q: z.string() }),
    execute: async ({ q }) => ({ q, hits: [page, page] }),
  }),
  add: ai.tool({
    description: "add",
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    execute: async ({ a, b }) => a + b,
  }),
};
const stopWhen = (ai.stepCountIs ?? ai.isStepCount)(stepCount + 2);
const promptKb = Number(process.env.PROMPT_KB ?? 1);
const words = "question ".repeat(Math.round((promptKb * 1024) / 9));

/**
 * One run, checked. Every run has a prompt of its own.
 *
 * @param leave true for a stream that its reader leaves after the first chunks
 */
export async function runOnce(sdk, i, extra, { leave = false } = {}) {
  const settings = { model: newModel(), tools, stopWhen, prompt: `${i} ${words}`, ...extra };
  if (leave) {
    let seen = 0;
    for await (const _ of sdk.streamText(settings).fullStream) if (++seen === 3) return;
  }
  if (!streams) {
    const { steps } = await sdk.generateText(settings);
    if (steps.length !== stepCount) throw new Error(`a run of ${steps.length} steps`);
    return;
  }
  let last;
  for await (const part of sdk.streamText(settings).fullStream) last = part;
  if (last?.type !== "finish") throw new Error(`a stream that ends with ${last?.type}`);
}

export const setting = { major, streams, promptKb, steps: stepCount };
