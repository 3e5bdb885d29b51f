import { describe, expect, it } from "vitest";
import { before, chained, gains, read, spansOf, types } from "../spans.test-support.ts";
import { agent, asks, model, result, says, toolSpan } from "./agent-spans.test-support.ts";

const question = says("user", "Where is it?");
const answer = says("assistant", "Here.");
const ids = ({ trajectory }: { trajectory: { steps: readonly { stepId: string }[] } }) =>
  trajectory.steps.map(({ stepId }) => stepId);

describe("grouping into runs", () => {
  it("makes each outermost run of a trace a trajectory, plumbing round them or not", () => {
    const { trajectories, used } = read(
      spansOf(
        { id: "http", until: 500, name: "POST /", attributes: { "http.method": "POST" } },
        agent("one", { parent: "http", at: 10, until: 90 }),
        model("a", 20, [question], answer, { parent: "one" }),
        agent("two", { parent: "http", at: 100, until: 190 }),
        model("b", 120, [says("user", "And now?")], answer, { parent: "two" }),
      ),
    );
    expect(trajectories.map(({ trajectory }) => [trajectory.trajectoryId, trajectory.task.question])).toEqual(
      [
        ["otel/t1/one", "Where is it?"],
        ["otel/t1/two", "And now?"],
      ],
    );
    expect(used["http"]).toBe("none:plumbing");
  });

  it("reads calls without a run round them as one run a trace, and says so", () => {
    const { trajectories, counts } = read(
      spansOf(
        model("a", 10, [question], asks("c1", "find", "{}"), { parent: "gone" }),
        model("b", 20, [question, asks("c1", "find", "{}"), result("c1", "there")], answer, {
          parent: "gone",
        }),
        model("x", 10, [says("user", "Another trace.")], answer, { trace: "t2", parent: "gone" }),
      ),
    );
    expect(trajectories.map(types)).toEqual([["model", "tool:find", "model"], ["model"]]);
    expect(counts).toEqual({ no_run: 2, step_from_history: 1 });
  });

  it("makes conversations of one trace runs of their own, a tool's call with the one that went on last", () => {
    const talk = (name: string) => ({ "gen_ai.conversation.id": name });
    const capital = says("user", "Capital of France?");
    const { trajectories } = read(
      spansOf(
        model("a", 10, [question], asks("c1", "find", "{}"), { parent: "gone", attributes: talk("one") }),
        toolSpan("t", 20, "find", { parent: "gone", callId: "c1", args: "{}", gave: "there" }),
        model("x", 30, [capital], says("assistant", "Paris."), { parent: "gone", attributes: talk("two") }),
        model("b", 40, [question, asks("c1", "find", "{}"), result("c1", "there")], answer, {
          parent: "gone",
          attributes: talk("one"),
        }),
      ),
    );
    expect(trajectories.map(ids)).toEqual([["a", "t", "b"], ["x"]]);
    expect(trajectories.map(({ trajectory }) => trajectory.task.question)).toEqual([
      "Where is it?",
      "Capital of France?",
    ]);
    expect(
      trajectories.flatMap(({ trajectory }) => trajectory.steps.map((step) => step.discontinuity)),
    ).toEqual(Array(4).fill(undefined));
  });

  it("reads a span of a circle of parents as a root, and a repeated id twice", () => {
    const { trajectories, counts } = read(
      spansOf(
        agent("run", { parent: "inner" }),
        agent("inner", { parent: "run", at: 5 }),
        model("a", 10, [question], answer, { parent: "inner" }),
        model("a", 20, [question, answer, says("user", "Sure?")], says("assistant", "Yes."), {
          parent: "inner",
        }),
      ),
    );
    expect(counts).toEqual({ parent_cycle: 1, repeated_span_id: 1 });
    expect(ids(trajectories[0]!)).toEqual(["a", "a-2"]);
  });

  it("makes a run that recorded no call one step, and refuses one that says nothing", () => {
    const bare = { "openinference.span.kind": "AGENT" };
    const whole = read(
      spansOf({
        id: "x",
        name: "helper",
        attributes: { ...bare, "input.value": "Where?", "output.value": "Here." },
      }),
    );
    expect(types(whole.trajectories[0]!)).toEqual(["helper"]);
    expect(before(whole.trajectories[0]!, 0)).toEqual(["task user: Where?"]);
    expect(gains(whole.trajectories[0]!)).toEqual([["answer assistant: Here."]]);
    expect(whole.counts).toEqual({ run_as_step: 1 });
    expect(read(spansOf({ id: "x", attributes: bare })).counts).toEqual({ no_calls: 1 });
  });

  it("ends a run that recorded no model call with what it gave", () => {
    const kind = (name: string, more: object) => ({ "openinference.span.kind": name, ...more });
    const { trajectories } = read(
      spansOf(
        {
          id: "query",
          until: 100,
          attributes: kind("AGENT", { "input.value": "How many?", "output.value": "There are 17." }),
        },
        {
          id: "t",
          parent: "query",
          at: 10,
          name: "Bash",
          attributes: kind("TOOL", { "input.value": '{"command":"count"}', "output.value": "17" }),
        },
      ),
    );
    expect(types(trajectories[0]!)).toEqual(["tool:Bash", "answer"]);
    expect(gains(trajectories[0]!)).toEqual([
      ['tool_call Bash: {"command":"count"}', "evidence Bash: 17"],
      ["answer assistant: There are 17."],
    ]);
    expect(trajectories[0]!.trajectory.steps[1]!.extra!["told_by"]).toBe("run_output");
  });

  it("reads by one convention alone where asked, and refuses a name that is none", () => {
    const spans = spansOf(agent("run"), model("a", 10, [question], answer));
    expect(read(spans, [], { convention: "openinference" }).trajectories).toEqual([]);
    expect(read(spans, [], { convention: "gen-ai" }).trajectories).toHaveLength(1);
    expect(() => read(spans, [], { convention: "gen_ai" })).toThrow(/convention.*langfuse, openinference/);
  });
});

describe("order of steps", () => {
  const first = asks("c1", "find", "{}");
  const second = asks("c2", "open", "{}");
  const whole = [question, first, result("c1", "box"), second, result("c2", "empty")];

  it("follows who asked for what, whatever the clocks say", () => {
    // The clock was set back by 60 s after the first call; then everything happened within one tick.
    const { trajectories } = read(
      spansOf(
        agent("run"),
        model("c", 1000, whole, answer),
        toolSpan("u", 1000, "open", { callId: "c2", gave: "empty" }),
        model("b", 1000, whole.slice(0, 3), second),
        toolSpan("t", 500, "find", { callId: "c1", gave: "box" }),
        model("a", 60_000, [question], first),
      ),
    );
    expect(ids(trajectories[0]!)).toEqual(["a", "t", "b", "u", "c"]);
    expect(chained(trajectories[0]!)).toBe(true);
  });

  it("puts calls of one tick in the order in which the model asked", () => {
    const both = {
      role: "assistant",
      tool_calls: [
        { id: "c1", name: "find", args: {} },
        { id: "c2", name: "open", args: {} },
      ],
    };
    const { trajectories } = read(
      spansOf(
        agent("run"),
        toolSpan("u", 20, "open", { callId: "c2", gave: "empty" }),
        toolSpan("t", 20, "find", { callId: "c1", gave: "box" }),
        model("a", 20, [question], both),
      ),
    );
    expect(ids(trajectories[0]!)).toEqual(["a", "t", "u"]);
  });

  it("falls back to the start, then the parent's start, then the order of reading", () => {
    const gave = (text: string) => ({ gave: text });
    const { trajectories } = read(
      spansOf(
        agent("run"),
        agent("late", { parent: "run", at: 6 }),
        agent("early", { parent: "run", at: 5 }),
        toolSpan("d", 50, "x", { parent: "late", ...gave("4") }),
        toolSpan("c", 50, "x", { parent: "early", ...gave("3") }),
        toolSpan("b", 50, "x", { parent: "early", ...gave("2") }),
        toolSpan("a", 40, "x", { parent: "late", ...gave("1") }),
      ),
    );
    expect(ids(trajectories[0]!)).toEqual(["a", "c", "b", "d"]);
  });

  it("puts a tool that holds further calls after them", () => {
    const { trajectories } = read(
      spansOf(
        agent("run"),
        model("a", 10, [question], first),
        toolSpan("t", 20, "find", { callId: "c1", gave: "box", until: 90 }),
        toolSpan("inner", 30, "lookup", { parent: "t", gave: "shelf" }),
      ),
    );
    expect(ids(trajectories[0]!)).toEqual(["a", "inner", "t"]);
  });

  it("puts a tool during which a model was called after that, where only the times tell", () => {
    // The sub-agent's spans hang on the workflow and not on the tool that runs it.
    const { trajectories } = read(
      spansOf(
        agent("run"),
        model("a", 10, [question], asks("c1", "ask_expert", "{}")),
        toolSpan("t", 20, "ask_expert", { callId: "c1", gave: "It is in the box.", until: 60 }),
        agent("expert", { parent: "run", at: 21, until: 59 }),
        model(
          "b",
          22,
          [says("system", "You know."), says("user", "it?")],
          says("assistant", "It is in the box."),
          {
            parent: "expert",
            until: 58,
          },
        ),
        model("c", 60, [question, asks("c1", "ask_expert", "{}"), result("c1", "It is in the box.")], answer),
      ),
    );
    expect(ids(trajectories[0]!)).toEqual(["a", "b", "t", "c"]);
    expect(before(trajectories[0]!, 1)!.join("\n")).not.toContain("box");
    expect(trajectories[0]!.trajectory.steps.every(({ extra }) => extra!["concurrent"] === undefined)).toBe(
      true,
    );
  });

  it("does not hang on calls that wait for each other", () => {
    const { trajectories, counts } = read(
      spansOf(
        agent("run"),
        model("a", 10, [question, result("c1", "box")], first),
        toolSpan("t", 20, "find", { callId: "c1", gave: "box" }),
      ),
    );
    expect(counts["order_unclear"]).toBe(1);
    expect(ids(trajectories[0]!)).toEqual(["a", "t"]);
  });
});

describe("double recording", () => {
  const call = asks("c1", "find", '{"q":1}');

  it("folds nested spans of one tool call, by id, or by equal input and output", () => {
    const byId = read(
      spansOf(
        agent("run"),
        model("a", 10, [question], call),
        toolSpan("t", 20, "find", { callId: "c1", args: '{"q":1}', gave: "box", until: 40 }),
        toolSpan("mcp", 22, "tools/call", { parent: "t", callId: "c1", gave: "box in MCP" }),
      ),
    );
    expect(types(byId.trajectories[0]!)).toEqual(["model", "tool:find"]);
    expect(byId.counts).toEqual({ double_recorded: 1 });
    expect(byId.used["mcp"]).toBe("gen-ai:folded");
    const byValue = read(
      spansOf(
        agent("run"),
        model("a", 10, [question], call),
        toolSpan("t", 20, "find", { args: '{"q": 1}', gave: "box", until: 40 }),
        toolSpan("mcp", 22, "mcp find", { parent: "t", args: '{ "q":1 }', gave: "box\n" }),
      ),
    );
    expect(types(byValue.trajectories[0]!)).toEqual(["model", "tool:find"]);
  });

  it("folds spans side by side only where they ran at the same time", () => {
    const twice = (later: number) =>
      read(
        spansOf(
          agent("run"),
          model("a", 10, [question], call),
          toolSpan("t", 20, "find", { callId: "c1", gave: "box", until: 30 }),
          toolSpan("u", later, "find", { callId: "c1", gave: "box", until: later + 5 }),
        ),
      );
    expect(types(twice(21).trajectories[0]!)).toEqual(["model", "tool:find"]);
    // Some providers number calls anew in each turn: these are two.
    expect(types(twice(40).trajectories[0]!)).toEqual(["model", "tool:find", "tool:find"]);
  });

  it("folds what two instrumentations recorded side by side, and keeps equal calls of one", () => {
    const said = (id: string, scope: string, at: number) =>
      model(id, at, [question], answer, { scope, until: at + 20 });
    const twice = read(spansOf(agent("run"), said("a", "langchain", 10), said("b", "openai", 12)));
    expect(types(twice.trajectories[0]!)).toEqual(["model"]);
    expect(twice.counts).toEqual({ double_recorded: 1 });
    const sampled = read(spansOf(agent("run"), said("a", "openai", 10), said("b", "openai", 12)));
    expect(types(sampled.trajectories[0]!)).toEqual(["model", "model"]);
  });

  it("keeps tools that call other tools, and folds a retrieval that its tool gives on", () => {
    const { trajectories, counts } = read(
      spansOf(
        agent("run"),
        toolSpan("t", 20, "answer_from_docs", {
          args: "x",
          gave: "Sources:\nThe box is red.\nThe lid is blue.",
          until: 60,
        }),
        {
          id: "r",
          parent: "t",
          at: 22,
          attributes: {
            "gen_ai.operation.name": "retrieval",
            "gen_ai.retrieval.documents": '[{"content":"The box is red."},{"content":"The lid is blue."}]',
          },
        },
        toolSpan("u", 30, "translate", { parent: "t", args: "y", gave: "z" }),
      ),
    );
    expect(types(trajectories[0]!)).toEqual(["tool:translate", "tool:answer_from_docs"]);
    expect(counts["double_recorded"]).toBe(1);
  });

  it("takes the innermost tokens, the outer content, and calls a failed attempt one", () => {
    const { trajectories, counts } = read(
      spansOf(
        agent("run"),
        model("a", 10, [question], answer, { until: 90, attributes: { "gen_ai.usage.input_tokens": 100 } }),
        model("try", 20, [question], undefined, {
          parent: "a",
          error: "429",
          attributes: { "gen_ai.usage.input_tokens": 1 },
        }),
        model("ok", 40, undefined, undefined, {
          parent: "a",
          attributes: { "gen_ai.usage.input_tokens": 12, "gen_ai.usage.output_tokens": 3 },
        }),
      ),
    );
    expect(types(trajectories[0]!)).toEqual(["model"]);
    expect(trajectories[0]!.trajectory.steps[0]!.cost).toMatchObject({
      prompt_tokens: 12,
      completion_tokens: 3,
    });
    expect(counts).toEqual({ double_recorded: 1, failed_attempt: 1 });
  });
});
