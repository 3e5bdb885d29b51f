import { expect, it } from "vitest";
import { before, chained, gains, read, spansOf, types } from "../spans.test-support.ts";

const json = JSON.stringify;
const model = (request: unknown, response: unknown) => ({
  "gen_ai.system": "gcp.vertex.agent",
  "gen_ai.request.model": "gemini",
  "gcp.vertex.agent.llm_request": json(request),
  "gcp.vertex.agent.llm_response": json(response),
  "gen_ai.usage.input_tokens": 20,
  "gen_ai.usage.output_tokens": 5,
});
const user = { role: "user", parts: [{ text: "List the releases." }] };
const turn = { role: "model", parts: [{ function_call: { id: "c1", name: "list", args: {} } }] };
const rows = { content: [{ type: "text", text: "kagent 0.9" }], isError: false };
const config = { system_instruction: "You know Helm.", tools: [{ function_declarations: [] }] };

it("reads requests and responses, tools below the call that asked for them, and drops the rest", () => {
  const { trajectories, counts, used } = read(
    spansOf(
      { id: "inv", until: 100, name: "invocation", scope: "gcp.vertex.agent" },
      {
        id: "agent",
        parent: "inv",
        at: 1,
        until: 99,
        name: "invoke_agent helm",
        attributes: {
          "gen_ai.operation.name": "invoke_agent",
          "gen_ai.agent.name": "helm",
          "gen_ai.conversation.id": "s-1",
        },
      },
      {
        id: "a",
        parent: "agent",
        at: 10,
        until: 50,
        name: "call_llm",
        attributes: model(
          { model: "gemini", config, contents: [user] },
          { content: turn, finish_reason: "STOP" },
        ),
      },
      {
        id: "gen",
        parent: "a",
        at: 11,
        until: 49,
        name: "generate_content gemini",
        attributes: {
          "gen_ai.operation.name": "generate_content",
          "gen_ai.usage.input_tokens": 20,
          "gen_ai.usage.output_tokens": 5,
        },
      },
      {
        id: "chat",
        parent: "gen",
        at: 12,
        until: 30,
        name: "openai.chat",
        attributes: {
          "llm.request.type": "chat",
          "gen_ai.prompt.0.role": "user",
          "gen_ai.prompt.0.content": "List the releases.",
          "gen_ai.completion.0.tool_calls.0.id": "c1",
          "gen_ai.completion.0.tool_calls.0.name": "list",
          "gen_ai.usage.input_tokens": 21,
          "gen_ai.usage.output_tokens": 6,
        },
      },
      {
        id: "http",
        parent: "chat",
        at: 13,
        name: "POST",
        attributes: { "http.method": "POST", "gen_ai.conversation.id": "s-1" },
      },
      {
        id: "tool",
        parent: "gen",
        at: 31,
        until: 40,
        name: "execute_tool list",
        attributes: {
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": "list",
          "gen_ai.tool.call.id": "c1",
          "gcp.vertex.agent.llm_request": "{}",
          "gcp.vertex.agent.tool_call_args": "{}",
          "gcp.vertex.agent.tool_response": json(rows),
        },
      },
      {
        id: "merged",
        parent: "gen",
        at: 41,
        name: "execute_tool (merged tools)",
        attributes: {
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": "(merged tools)",
          "gcp.vertex.agent.llm_request": "{}",
          "gcp.vertex.agent.tool_response": json({ merged: 1 }),
        },
      },
      {
        id: "b",
        parent: "agent",
        at: 60,
        name: "call_llm",
        attributes: model(
          {
            model: "gemini",
            config,
            contents: [
              user,
              turn,
              { role: "user", parts: [{ function_response: { id: "c1", name: "list", response: rows } }] },
            ],
          },
          { content: { role: "model", parts: [{ text: "One release." }] } },
        ),
      },
    ),
  );
  expect(trajectories).toHaveLength(1);
  const [found] = trajectories;
  expect(found!.convention).toBe("google-adk");
  expect(found!.trajectory.task.question).toBe("List the releases.");
  expect(found!.trajectory.metadata["session_id"]).toBe("s-1");
  expect(types(found!)).toEqual(["model", "tool:list", "model"]);
  expect(before(found!, 0)).toEqual(["task user: List the releases.", "message system: You know Helm."]);
  expect(gains(found!)).toEqual([
    ["tool_call list: {}"],
    ["evidence list: kagent 0.9"],
    ["answer assistant: One release."],
  ]);
  expect(chained(found!)).toBe(true);
  // Tokens are those of the innermost span, once.
  expect(found!.trajectory.steps.map(({ cost }) => cost["prompt_tokens"])).toEqual([21, undefined, 20]);
  expect(found!.trajectory.steps[0]!.extra!["concurrent"]).toBeUndefined();
  expect(used).toMatchObject({
    inv: "google-adk:run",
    agent: "gen-ai:run",
    gen: "gen-ai:folded",
    chat: "gen-ai:folded",
    http: "none:plumbing",
    merged: "google-adk:plumbing",
  });
  expect(counts).toEqual({ double_recorded: 2 });
});

it("refuses a run whose content was not captured", () => {
  const { trajectories, counts, used } = read(
    spansOf(
      {
        id: "agent",
        until: 100,
        name: "invoke_agent helm",
        attributes: { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "helm" },
      },
      { id: "a", parent: "agent", at: 10, name: "call_llm", attributes: { ...model({}, {}) } },
    ),
  );
  expect(trajectories).toEqual([]);
  expect(counts).toEqual({ no_content: 1 });
  expect(used).toEqual({ agent: "gen-ai:refused", a: "google-adk:refused" });
});
