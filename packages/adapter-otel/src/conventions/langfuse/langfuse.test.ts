import { describe, expect, it } from "vitest";
import { before, chained, gains, read, spansOf, types } from "../spans.test-support.ts";

const json = JSON.stringify;
const seen = (type: string, input?: unknown, output?: unknown, more: object = {}) => ({
  "langfuse.observation.type": type,
  ...(input !== undefined && {
    "langfuse.observation.input": typeof input === "string" ? input : json(input),
  }),
  ...(output !== undefined && {
    "langfuse.observation.output": typeof output === "string" ? output : json(output),
  }),
  ...more,
});
const user = { role: "user", content: "What colour is the lamp?" };
const turn = {
  role: "assistant",
  content: "",
  tool_calls: [{ id: "c1", name: "search", args: { q: "lamp" } }],
};

describe("Langfuse", () => {
  it("reads generations, tools and spans, roles that are tool names included", () => {
    const { trajectories, counts, used } = read(
      spansOf(
        {
          id: "root",
          until: 100,
          name: "LangGraph",
          attributes: seen("span", { messages: [user] }, undefined, { "langfuse.session.id": "s-1" }),
        },
        {
          id: "a",
          parent: "root",
          at: 10,
          name: "ChatOpenAI",
          attributes: seen(
            "generation",
            [{ role: "system", content: [{ type: "text", text: "Be brief." }] }, user],
            turn,
            {
              "langfuse.observation.usage_details": json({ input: 60, output: 15, total: 75 }),
              "langfuse.observation.model.name": "m-1",
            },
          ),
        },
        {
          id: "tool",
          parent: "root",
          at: 20,
          name: "search",
          attributes: seen(
            "tool",
            { q: "lamp" },
            { type: "tool", content: "It is green.", tool_call_id: "c1", status: "success" },
          ),
        },
        {
          id: "b",
          parent: "root",
          at: 30,
          name: "ChatOpenAI",
          attributes: seen(
            "generation",
            [
              { role: "system", content: "Be brief." },
              user,
              turn,
              { role: "search", content: "It is green.", additional_kwargs: {} },
            ],
            { role: "assistant", content: "Green." },
          ),
        },
        { id: "route", parent: "root", at: 40, name: "should_continue", attributes: seen("span", {}, "end") },
        {
          id: "http",
          parent: "root",
          at: 45,
          name: "POST",
          attributes: { ...seen("span", "x", "y"), "http.method": "POST" },
        },
      ),
    );
    const [found] = trajectories;
    expect(found!.convention).toBe("langfuse");
    expect(found!.trajectory.metadata["session_id"]).toBe("s-1");
    expect(types(found!)).toEqual(["model", "tool:search", "model"]);
    expect(before(found!, 0)).toEqual(["task user: What colour is the lamp?", "message system: Be brief."]);
    expect(gains(found!)).toEqual([
      ['tool_call search: {"q":"lamp"}'],
      ["evidence search: It is green."],
      ["answer assistant: Green."],
    ]);
    expect(chained(found!)).toBe(true);
    expect(found!.trajectory.steps[0]!.cost).toMatchObject({ prompt_tokens: 60, completion_tokens: 15 });
    expect(used).toMatchObject({
      root: "langfuse:run",
      route: "langfuse:plumbing",
      http: "langfuse:plumbing",
    });
    expect(counts).toEqual({});
  });

  it("knows a tool by its message where the version has no type for it, and its Python arguments", () => {
    const { trajectories } = read(
      spansOf(
        { id: "root", until: 100, attributes: seen("span", { messages: [user] }) },
        { id: "a", parent: "root", at: 10, attributes: seen("generation", [user], turn) },
        {
          id: "tool",
          parent: "root",
          at: 20,
          name: "search",
          attributes: seen("span", "{'q': 'lamp'}", {
            type: "tool",
            content: "It is green.",
            tool_call_id: "c1",
            status: "error",
          }),
        },
      ),
    );
    expect(types(trajectories[0]!)).toEqual(["model", "tool:search"]);
    expect(trajectories[0]!.trajectory.steps[1]!.action["calls"]).toEqual([
      { tool: "search", args: { q: "lamp" } },
    ]);
    expect(gains(trajectories[0]!)[1]).toEqual(["other search: It is green."]);
  });

  it("takes a span for the tool that a model asked for by that name, and drops work that brings nothing new", () => {
    const { trajectories, used } = read(
      spansOf(
        { id: "root", until: 100, attributes: seen("span", { messages: [user] }) },
        { id: "created", parent: "root", at: 5, name: "Crew Created", attributes: seen("span") },
        { id: "a", parent: "root", at: 10, attributes: seen("generation", [user], turn) },
        {
          id: "tool",
          parent: "root",
          at: 20,
          name: "tool.search",
          attributes: seen("span", { q: "lamp" }, "It is green."),
        },
        {
          id: "again",
          parent: "root",
          at: 25,
          name: "update",
          attributes: seen("span", {}, { messages: [user, turn] }),
        },
        {
          id: "b",
          parent: "root",
          at: 30,
          attributes: seen(
            "generation",
            [user, turn, { role: "tool", tool_call_id: "c1", content: "It is green." }],
            { role: "assistant", content: "Green." },
          ),
        },
      ),
    );
    expect(types(trajectories[0]!)).toEqual(["model", "tool:search", "model"]);
    expect(gains(trajectories[0]!)[1]).toEqual(["evidence search: It is green."]);
    expect(chained(trajectories[0]!)).toBe(true);
    expect(used).toMatchObject({
      created: "langfuse:plumbing",
      tool: "langfuse:step",
      again: "langfuse:folded",
    });
  });

  it("adds results where a later call is given nothing else, and does without inputs that say nothing", () => {
    const { trajectories } = read(
      spansOf(
        { id: "root", until: 100, attributes: seen("agent", "What colour is the lamp?") },
        { id: "a", parent: "root", at: 10, attributes: seen("generation", [user], turn) },
        {
          id: "b",
          parent: "root",
          at: 20,
          attributes: seen("generation", [{ role: "tool", tool_call_id: "c1", content: "It is green." }], {
            role: "assistant",
            content: "Let me see.",
          }),
        },
        {
          id: "c",
          parent: "root",
          at: 30,
          attributes: seen("generation", { content: "role" }, { role: "assistant", content: "Green." }),
        },
      ),
    );
    const [found] = trajectories;
    expect(types(found!)).toEqual(["model", "tool:search", "model", "model"]);
    expect(gains(found!).slice(1)).toEqual([
      ["evidence search: It is green."],
      ["answer assistant: Let me see."],
      ["answer assistant: Green."],
    ]);
    expect(chained(found!)).toBe(true);
  });

  it("reads a generation that holds several as the run, and one that holds one as the same call", () => {
    const inner = (id: string, at: number, messages: object[], output: object) => ({
      id,
      parent: "outer",
      at,
      attributes: seen("generation", messages, output, {
        "langfuse.observation.usage_details": json({ input: 7, output: 2 }),
      }),
    });
    const outer = {
      id: "outer",
      until: 100,
      name: "ai.generateText",
      attributes: seen("generation", { prompt: "What colour is the lamp?" }, "Green.", {
        "langfuse.observation.usage_details": json({ input: 14, output: 4 }),
      }),
    };
    const result = { role: "tool", tool_call_id: "c1", content: "It is green." };
    const two = read(
      spansOf(
        outer,
        inner("a", 10, [user], turn),
        inner("b", 30, [user, turn, result], { role: "assistant", content: "Green." }),
      ),
    );
    expect(types(two.trajectories[0]!)).toEqual(["model", "tool:search", "model"]);
    expect(two.used).toMatchObject({ outer: "langfuse:run" });
    const one = read(spansOf(outer, inner("a", 10, [user], { role: "assistant", content: "Green." })));
    expect(types(one.trajectories[0]!)).toEqual(["model"]);
    expect(one.counts).toEqual({ double_recorded: 1, no_run: 1 });
    expect(one.trajectories[0]!.trajectory.steps[0]!.cost).toMatchObject({
      prompt_tokens: 7,
      completion_tokens: 2,
    });
  });

  it("never reads expected outputs, scores and evaluators", () => {
    const { trajectories, counts } = read(
      spansOf(
        {
          id: "root",
          until: 100,
          attributes: seen("span", { messages: [user] }, undefined, {
            "langfuse.experiment.item.expected_output": "GOLD",
            "langfuse.experiment.item.metadata": "GOLD",
          }),
        },
        {
          id: "a",
          parent: "root",
          at: 10,
          attributes: seen("generation", [user], { role: "assistant", content: "Green." }),
        },
        { id: "e", parent: "root", at: 20, attributes: seen("evaluator", { expected: "GOLD" }, "GOLD") },
      ),
    );
    expect(JSON.stringify(trajectories)).not.toContain("GOLD");
    expect(counts).toEqual({ gold_refused: 2 });
  });
});
