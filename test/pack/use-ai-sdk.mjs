// A stranger's first captured calls, on the packed SDK and adapter beside an installed AI SDK 5 and 6 (as `ai-v5` and `ai-v6`).
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asvFlush, withASVCapture } from "@agent-step-value/adapter-ai-sdk";
import { readTrajectories } from "@agent-step-value/sdk/jsonl";
import { z } from "zod";

const question = "What colour is the lamp?";
const folder = mkdtempSync(join(tmpdir(), "asv-pack-ai-sdk-"));

/** Asks for two searches at once, then answers. */
function scriptedModel(major, test) {
  const Model = test.MockLanguageModelV2 ?? test.MockLanguageModelV3;
  const reason = (word) => (major === 5 ? word : { unified: word, raw: word });
  const usage =
    major === 5
      ? { inputTokens: 3, outputTokens: 5, totalTokens: 8 }
      : { inputTokens: { total: 3 }, outputTokens: { total: 5 } };
  const turn = ({ prompt }) => {
    const done = prompt.some((message) => message.role === "tool");
    const calls = ["slow", "fast"].map((query, i) => ({
      type: "tool-call",
      toolCallId: `c${i}`,
      toolName: "search",
      input: JSON.stringify({ query }),
    }));
    return done
      ? { content: [{ type: "text", text: "The lamp is green." }], finishReason: reason("stop") }
      : { content: calls, finishReason: reason("tool-calls") };
  };
  return new Model({
    doGenerate: async (options) => ({ ...turn(options), usage, warnings: [] }),
    doStream: async (options) => {
      const { content, finishReason } = turn(options);
      const parts = content.flatMap((part) =>
        part.type === "text"
          ? [
              { type: "text-start", id: "t" },
              ...part.text.split(/(?<= )/).map((delta) => ({ type: "text-delta", id: "t", delta })),
              { type: "text-end", id: "t" },
            ]
          : [part],
      );
      const all = [{ type: "stream-start", warnings: [] }, ...parts, { type: "finish", finishReason, usage }];
      return { stream: test.convertArrayToReadableStream(all) };
    },
  });
}

async function runsOf(file) {
  const runs = [];
  for await (const { steps, status } of readTrajectories([file])) {
    runs.push({ types: steps.map((step) => step.action.type), status });
  }
  return runs;
}

const whole = { types: ["tool:search", "model"], status: "complete" };

for (const major of [5, 6]) {
  const original = await import(`ai-v${major}`);
  const test = await import(`ai-v${major}/test`);
  const tools = {
    search: original.tool({
      description: "Searches.",
      inputSchema: z.object({ query: z.string() }),
      execute: async ({ query }) => `found ${query}`,
    }),
  };
  const call = () => ({
    model: scriptedModel(major, test),
    tools,
    stopWhen: original.stepCountIs(3),
    prompt: question,
  });
  const expected = (await original.generateText(call())).text;

  // A call by every way of making it.
  for (const [name, run] of Object.entries({
    generateText: async (ai) => (await ai.generateText(call())).text,
    streamText: async (ai) => {
      let text = "";
      for await (const words of ai.streamText(call()).textStream) text += words;
      return text;
    },
    response: async (ai) => {
      const body = await ai.streamText(call()).toTextStreamResponse().text();
      return body;
    },
    agent: async (ai) => {
      const { prompt, ...settings } = call();
      const Agent = ai.ToolLoopAgent ?? ai.Experimental_Agent;
      const agent = new Agent(settings);
      assert.ok(agent instanceof (original.ToolLoopAgent ?? original.Experimental_Agent));
      return (await agent.generate({ prompt })).text;
    },
  })) {
    const file = join(folder, `${major}-${name}.jsonl`);
    const ai = withASVCapture(original, { file });
    assert.equal(await run(ai), expected);
    assert.deepEqual(await runsOf(file), [whole]);
    assert.equal((await asvFlush(ai)).written, 2);
  }

  // A stream that its reader leaves.
  const left = join(folder, `${major}-left.jsonl`);
  const leaving = withASVCapture(original, { file: left });
  for await (const _ of leaving.streamText(call()).textStream) break;
  assert.deepEqual(await runsOf(left), [{ ...whole, status: "abandoned" }]);

  // A secret stays inside.
  const secret = "sk-proj-Qv7xT2mLw9KdR4sJ8bYnC6hF1gZa3PeU5iOtXkM0";
  const guarded = join(folder, `${major}-secret.jsonl`);
  const headers = { authorization: `Bearer ${secret}` };
  await withASVCapture(original, { file: guarded }).generateText({
    ...call(),
    prompt: `My key is ${secret}`,
    headers,
  });
  assert.ok(!readFileSync(guarded, "utf8").includes(secret));
}

// The same from CommonJS.
const required = createRequire(import.meta.url)("@agent-step-value/adapter-ai-sdk");
assert.equal(typeof required.withASVCapture, "function");

rmSync(folder, { recursive: true });
console.log(`AI SDK capture works on ${process.version}`);
