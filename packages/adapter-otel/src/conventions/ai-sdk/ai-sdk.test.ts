import { describe, expect, it } from "vitest";
import { gains, read, spansOf, types } from "../spans.test-support.ts";

const json = JSON.stringify;
const op = (id: string, more: object = {}) => ({
  "ai.operationId": id,
  "operation.name": `${id} agent`,
  ...more,
});
const messages = json([{ role: "user", content: [{ type: "text", text: "Which city?" }] }]);

describe("AI SDK spans", () => {
  it("do not assume that calls are nested in their run", () => {
    const { trajectories, counts, used } = read(
      spansOf(
        {
          id: "outer",
          trace: "t1",
          attributes: op("ai.generateText", {
            "ai.prompt": json({ prompt: "Which city?" }),
            "ai.response.text": "Kyoto.",
          }),
        },
        {
          id: "inner",
          trace: "t2",
          attributes: op("ai.generateText.doGenerate", {
            "ai.prompt.messages": messages,
            "ai.response.text": "Kyoto.",
            "ai.usage.promptTokens": 5,
            "ai.usage.completionTokens": Number.NaN,
          }),
        },
        { id: "embed", trace: "t3", attributes: op("ai.embed", { "ai.value": '"x"' }) },
      ),
    );
    expect(trajectories).toHaveLength(1);
    expect(gains(trajectories[0]!)).toEqual([["answer assistant: Kyoto."]]);
    expect(trajectories[0]!.trajectory.steps[0]!.cost).toEqual({ prompt_tokens: 5, latency_ms: 5 });
    expect(counts).toEqual({ no_calls: 1, no_run: 1 });
    expect(used).toEqual({ outer: "ai-sdk:run", inner: "ai-sdk:step", embed: "ai-sdk:plumbing" });
  });

  it("read objects, older names of results, and reasoning in parts", () => {
    const call = (id: string, at: number, more: object) => ({
      id,
      parent: "run",
      at,
      attributes: op("ai.generateObject.doGenerate", { "ai.prompt.messages": messages, ...more }),
    });
    const { trajectories } = read(
      spansOf(
        {
          id: "run",
          until: 100,
          attributes: op("ai.generateObject", { "ai.prompt": json({ prompt: "Which city?" }) }),
        },
        call("a", 10, {
          "ai.response.object": '{"city":"Kyoto"}',
          "ai.response.reasoning": json([{ type: "reasoning", text: "Hm." }]),
        }),
        call("b", 20, { "ai.result.text": "Nara." }),
      ),
    );
    expect(types(trajectories[0]!)).toEqual(["model", "model"]);
    expect(gains(trajectories[0]!)).toEqual([
      ["reasoning assistant: Hm.", 'answer assistant: {"city":"Kyoto"}'],
      ["answer assistant: Nara."],
    ]);
  });

  it("take no header, provider metadata or telemetry field into anything", () => {
    const secrets = {
      "ai.request.headers.authorization": "Bearer CANARY",
      "ai.response.providerMetadata": '{"x":"CANARY"}',
      "ai.telemetry.metadata.note": "CANARY",
      "ai.response.id": "CANARY",
      "ai.prompt.tools": ["CANARY"],
    };
    const { trajectories } = read(
      spansOf(
        {
          id: "run",
          until: 100,
          attributes: op("ai.streamText", { ...secrets, "ai.prompt": json({ prompt: "Which city?" }) }),
        },
        {
          id: "a",
          parent: "run",
          at: 10,
          attributes: op("ai.streamText.doStream", {
            ...secrets,
            "ai.prompt.messages": messages,
            "ai.response.text": "Kyoto.",
          }),
        },
        {
          id: "tool",
          parent: "run",
          at: 20,
          attributes: op("ai.toolCall", {
            ...secrets,
            "ai.toolCall.name": "look",
            "ai.toolCall.id": "c1",
            "ai.toolCall.args": "{}",
            "ai.toolCall.result": "found",
          }),
        },
      ),
    );
    expect(trajectories).toHaveLength(1);
    expect(JSON.stringify(trajectories)).not.toContain("CANARY");
  });
});
