import { describe, expect, it } from "vitest";
import { after, before, chained, gains, read, spansOf, types } from "../spans.test-support.ts";
import { agent, asks, model, result, says, toolSpan } from "./agent-spans.test-support.ts";

const system = says("system", "Be brief.");
const question = says("user", "Where is it?");
const call = asks("c1", "find", '{"q":"it"}', "Looking.");
const answer = says("assistant", "In the box.");
const task = "task user: Where is it?";
const given = ["message system: Be brief.", "reasoning assistant: Looking.", 'tool_call find: {"q":"it"}'];

const discontinuities = ({ trajectory }: { trajectory: { steps: readonly { discontinuity?: boolean }[] } }) =>
  trajectory.steps.map(({ discontinuity }) => discontinuity === true);

describe("a history that goes on", () => {
  it("shows results as the model was given them, and not as their span says", () => {
    const { trajectories } = read(
      spansOf(
        agent("run"),
        model("a", 10, [system, question], call),
        toolSpan("t", 20, "find", { callId: "c1", gave: '{"box":1,"internal":"long"}' }),
        model("b", 30, [system, question, call, result("c1", "It is in the box.")], answer),
      ),
    );
    expect(after(trajectories[0]!, 1)).toEqual([task, ...given, "evidence find: It is in the box."]);
    expect(chained(trajectories[0]!)).toBe(true);
    expect(trajectories[0]!.fidelity).toContain(
      "1 result reads as the next call was given, not as their span says",
    );
  });

  it("makes results without a span steps of their own", () => {
    const { trajectories, counts } = read(
      spansOf(
        agent("run"),
        model("a", 10, [system, question], call),
        model("b", 30, [system, question, call, result("c1", "box")], answer),
      ),
    );
    expect(types(trajectories[0]!)).toEqual(["model", "tool:find", "model"]);
    expect(gains(trajectories[0]!)[1]).toEqual(["evidence find: box"]);
    expect(trajectories[0]!.trajectory.steps[1]).toMatchObject({
      stepId: "b-told",
      action: { type: "tool:find", calls: [{ tool: "find", args: { q: "it" } }] },
      cost: { tool_calls: 1 },
      extra: { told_by: "next_call" },
    });
    expect(chained(trajectories[0]!)).toBe(true);
    expect(counts).toEqual({ step_from_history: 1 });
  });

  it("marks what came in by another hand as a discontinuity", () => {
    const { trajectories } = read(
      spansOf(
        agent("run"),
        model("a", 10, [system, question], says("assistant", "In the box?")),
        model(
          "b",
          30,
          [system, question, says("assistant", "In the box?"), says("user", "No.")],
          says("assistant", "Then I do not know."),
        ),
      ),
    );
    const [found] = trajectories;
    expect(discontinuities(found!)).toEqual([false, true]);
    expect(before(found!, 1)!.at(-1)).toBe("message user: No.");
    // What a run is asked is the last thing its first call was asked.
    expect(found!.trajectory.task.question).toBe("Where is it?");
  });

  it("accepts results in another order, and calls that a dialect does not repeat", () => {
    const both = {
      role: "assistant",
      tool_calls: [
        { id: "c1", name: "find", args: {} },
        { id: "c2", name: "open", args: {} },
      ],
    };
    const spans = (history: readonly unknown[]) =>
      spansOf(
        agent("run"),
        model("a", 10, [question], both),
        toolSpan("t", 20, "find", { callId: "c1", gave: "box" }),
        toolSpan("u", 21, "open", { callId: "c2", gave: "empty" }),
        model("b", 30, history, answer),
      );
    const swapped = read(spans([question, both, result("c2", "empty"), result("c1", "box")]))
      .trajectories[0]!;
    expect(chained(swapped)).toBe(true);
    expect(swapped.trajectory.steps).toHaveLength(4);
    const silent = read(
      spans([question, { role: "tool", content: "box" }, { role: "tool", content: "empty" }]),
    ).trajectories[0]!;
    expect(chained(silent)).toBe(true);
    expect(silent.trajectory.steps).toHaveLength(4);
  });

  it("takes what a model said from the next call where its own span does not tell", () => {
    const { trajectories, counts } = read(
      spansOf(
        agent("run"),
        model("a", 10, [system, question], undefined),
        toolSpan("t", 20, "find", { callId: "c1", gave: "box" }),
        model("b", 30, [system, question, call, result("c1", "box")], answer),
      ),
    );
    expect(trajectories[0]!.trajectory.steps).toHaveLength(3);
    expect(after(trajectories[0]!, 2)!.filter((line) => line.startsWith("evidence"))).toEqual([
      "evidence find: box",
    ]);
    expect(counts["no_outcome"]).toBeUndefined();
  });
});

describe("a history in a provider's or framework's own hand", () => {
  it("gives calls other ids than the answer had, and equal calls side by side", () => {
    const turn = (prefix: string) => ({
      role: "assistant",
      tool_calls: [1, 2].map((n) => ({ id: `${prefix}_${n}`, name: "find", args: { q: "it" } })),
    });
    const { trajectories, counts } = read(
      spansOf(
        agent("run"),
        model("a", 10, [question], turn("call")),
        toolSpan("t", 20, "find", { callId: "call_1", gave: "box" }),
        toolSpan("u", 21, "find", { callId: "call_2", gave: "shelf" }),
        model("b", 30, [question, turn("fc"), result("call_1", "box"), result("call_2", "shelf")], answer),
      ),
    );
    expect(types(trajectories[0]!)).toEqual(["model", "tool:find", "tool:find", "model"]);
    expect(chained(trajectories[0]!)).toBe(true);
    expect(counts).toEqual({});
  });

  it("has no ids at all: results are known by their tool's name, in their order", () => {
    const both = {
      role: "model",
      parts: [1, 2].map((n) => ({ function_call: { name: "find", args: { n } } })),
    };
    const gave = (text: string) => ({ function_response: { name: "find", response: { result: text } } });
    const { trajectories } = read(
      spansOf(
        agent("run"),
        model("a", 10, [question], both),
        // Nothing but an empty object was recorded of the first.
        toolSpan("t", 20, "find", { args: '{"n":1}', gave: "{}" }),
        toolSpan("u", 21, "find", { args: '{"n":2}', gave: "shelf" }),
        model("b", 30, [question, both, { role: "user", parts: [gave("box"), gave("shelf")] }], answer),
      ),
    );
    expect(gains(trajectories[0]!).slice(1, 3)).toEqual([["evidence find: box"], ["evidence find: shelf"]]);
    expect(chained(trajectories[0]!)).toBe(true);
  });

  it("puts back the stop word, and shows what code ran as one observation", () => {
    const thought = "Thought: I need to look into the box first, then decide. <code>open('box')";
    const { trajectories } = read(
      spansOf(
        agent("run"),
        model("a", 10, [question], says("assistant", thought)),
        toolSpan("t", 20, "open", { args: '{"args":["box"]}', gave: "a red ball" }),
        model(
          "b",
          30,
          [
            question,
            says("assistant", `${thought}</code>`),
            says("tool-response", "Observation:\na red ball"),
          ],
          answer,
        ),
      ),
    );
    expect(gains(trajectories[0]!)[1]).toEqual([
      'tool_call open: {"args":["box"]}',
      "evidence open: Observation:\na red ball",
    ]);
    expect(chained(trajectories[0]!)).toBe(true);
  });

  it("hands a conversation to another agent, with what became of the calls", () => {
    const both = {
      role: "assistant",
      tool_calls: ["one", "two"].map((to) => ({ id: `c-${to}`, name: `transfer_to_${to}`, args: {} })),
    };
    const { trajectories } = read(
      spansOf(
        agent("run"),
        agent("first", { parent: "run", at: 5, until: 25 }),
        model("a", 10, [system, question], both, { parent: "first" }),
        toolSpan("t", 20, "transfer_to_one", { callId: "c-one", gave: "one", parent: "first" }),
        agent("one", { parent: "run", at: 30 }),
        model(
          "b",
          40,
          [
            says("system", "One."),
            question,
            both,
            result("c-two", "ignored"),
            result("c-one", '{"assistant":"one"}'),
          ],
          answer,
          { parent: "one" },
        ),
      ),
    );
    const [found] = trajectories;
    expect(types(found!)).toEqual(["model", "tool:transfer_to_one", "tool:transfer_to_two", "model"]);
    expect(before(found!, 3)!.slice(-3)).toEqual([
      'evidence transfer_to_one: {"assistant":"one"}',
      "evidence transfer_to_two: ignored",
      "message system: One.",
    ]);
  });
});

describe("a history that does not", () => {
  const long = [
    model("a", 10, [system, question], call),
    toolSpan("t", 20, "find", { callId: "c1", gave: "box" }),
  ] as const;
  const next = asks("c2", "open", "{}");

  it("was trimmed: what it no longer holds leaves the state", () => {
    const { trajectories, counts } = read(
      spansOf(
        agent("run"),
        ...long,
        model("b", 30, [system, question, call, result("c1", "box")], next),
        toolSpan("u", 40, "open", { callId: "c2", gave: "empty" }),
        model("c", 50, [system, next, result("c2", "empty")], answer),
      ),
    );
    const [found] = trajectories;
    expect(before(found!, 4)).toEqual([
      task,
      "message system: Be brief.",
      "tool_call open: {}",
      "evidence open: empty",
    ]);
    expect(discontinuities(found!)).toEqual([false, false, false, false, true]);
    expect(counts).toEqual({ history_edited: 1 });
    expect(found!.fidelity).toContain("1 history was no continuation");
  });

  it("has another system prompt: the new one stands in the old one's place", () => {
    const { trajectories } = read(
      spansOf(
        agent("run"),
        ...long,
        model("b", 30, [says("system", "Hurry."), question, call, result("c1", "box")], answer),
      ),
    );
    expect(before(trajectories[0]!, 2)).toEqual([
      task,
      "message system: Hurry.",
      ...given.slice(1),
      "evidence find: box",
    ]);
    expect(discontinuities(trajectories[0]!)).toEqual([false, false, true]);
  });

  it("has a result cleared that was shown before", () => {
    const { trajectories } = read(
      spansOf(
        agent("run"),
        ...long,
        model("b", 30, [system, question, call, result("c1", "box")], next),
        toolSpan("u", 40, "open", { callId: "c2", gave: "empty" }),
        model(
          "c",
          50,
          [system, question, call, result("c1", "[cleared]"), next, result("c2", "empty")],
          answer,
        ),
      ),
    );
    const [found] = trajectories;
    expect(before(found!, 4)).toEqual([
      task,
      ...given,
      "evidence find: [cleared]",
      "tool_call open: {}",
      "evidence open: empty",
    ]);
    expect(discontinuities(found!).at(-1)).toBe(true);
  });

  it("is only the beginning of one: a side call, after which the main one goes on", () => {
    const { trajectories } = read(
      spansOf(
        agent("run"),
        ...long,
        model("title", 25, [system, question], says("assistant", "A title")),
        model("b", 30, [system, question, call, result("c1", "box")], answer),
      ),
    );
    const [found] = trajectories;
    expect(types(found!)).toEqual(["model", "tool:find", "model", "model"]);
    expect(chained(found!)).toBe(true);
    expect(gains(found!).slice(2)).toEqual([
      ["answer assistant: A title"],
      ["answer assistant: In the box."],
    ]);
  });

  it("is a fresh prompt: it is added, without what the state has already", () => {
    const { trajectories } = read(
      spansOf(
        agent("run"),
        model("plan", 10, [says("system", "Plan."), question], says("assistant", "1. look")),
        model("write", 30, [says("system", "Write."), question, says("user", "Plan: 1. look")], answer),
      ),
    );
    expect(after(trajectories[0]!, 1)).toEqual([
      task,
      "message system: Plan.",
      "answer assistant: 1. look",
      "message system: Write.",
      "message user: Plan: 1. look",
      "answer assistant: In the box.",
    ]);
  });

  it("belongs to another agent that numbers its calls alike", () => {
    const sub = (id: string) => ({ parent: id });
    const asked = asks("call_0", "find", "{}");
    const { trajectories } = read(
      spansOf(
        agent("run"),
        agent("one", { parent: "run", at: 5, until: 45 }),
        model("a", 10, [says("system", "One."), question], asked, sub("one")),
        toolSpan("t", 20, "find", { callId: "call_0", gave: "first", parent: "one" }),
        model(
          "b",
          30,
          [says("system", "One."), question, asked, result("call_0", "first")],
          says("assistant", "1"),
          sub("one"),
        ),
        agent("two", { parent: "run", at: 50, until: 95 }),
        model("c", 60, [says("system", "Two."), question], asked, sub("two")),
        toolSpan("u", 70, "find", { callId: "call_0", gave: "second", parent: "two" }),
        model(
          "d",
          80,
          [says("system", "Two."), question, asked, result("call_0", "second")],
          says("assistant", "2"),
          sub("two"),
        ),
      ),
    );
    expect(
      gains(trajectories[0]!)
        .flat()
        .filter((line) => line!.startsWith("evidence")),
    ).toEqual(["evidence find: first", "evidence find: second"]);
    expect(discontinuities(trajectories[0]!)).toEqual([false, false, false, true, false, false]);
  });
});

describe("what nobody recorded", () => {
  it("gives a step no after-state, since an unchanged one would claim it was worth nothing", () => {
    const { trajectories, counts } = read(
      spansOf(
        agent("run"),
        model("a", 10, [question], call),
        toolSpan("t", 20, "find", { callId: "c1" }),
        model("b", 30, undefined, answer),
      ),
    );
    const [found] = trajectories;
    expect(after(found!, 1)).toBeUndefined();
    expect(found!.trajectory.steps[2]!.stateBefore).toBeDefined();
    expect(counts).toEqual({ no_outcome: 1 });
    expect(found!.fidelity).toContain("1 step has no recorded outcome");
  });

  it("may be known from the next call alone", () => {
    const { trajectories, counts } = read(
      spansOf(
        agent("run"),
        model("a", 10, [question], call),
        toolSpan("t", 20, "find", { callId: "c1" }),
        model("b", 30, [question, call, result("c1", "box")], answer),
      ),
    );
    expect(gains(trajectories[0]!)[1]).toEqual(["evidence find: box"]);
    expect(trajectories[0]!.fidelity).toContain("1 result is known from the next call alone");
    expect(counts).toEqual({});
  });

  it("is known to be nothing where a call failed", () => {
    const { trajectories } = read(
      spansOf(
        agent("run"),
        model("a", 10, [question], undefined, { error: "rate limit" }),
        model("b", 30, [question], answer),
      ),
    );
    const [found] = trajectories;
    expect(after(found!, 0)).toEqual([task]);
    expect(found!.trajectory.steps[0]!.extra).toMatchObject({
      status: "error",
      error: { message: "rate limit" },
    });
  });

  it("refuses a run of which nothing was recorded, and says when the question is not known", () => {
    const nothing = read(
      spansOf(agent("run"), model("a", 10, undefined, undefined), toolSpan("t", 20, "find")),
    );
    expect(nothing.trajectories).toEqual([]);
    expect(nothing.counts).toEqual({ no_content: 1 });
    expect(nothing.used).toEqual({ run: "gen-ai:refused", a: "gen-ai:refused", t: "gen-ai:refused" });
    const unasked = read(
      spansOf(
        agent("run"),
        model("a", 10, undefined, answer),
        model("b", 20, undefined, says("assistant", "Yes.")),
      ),
    );
    expect(unasked.counts).toEqual({ no_question: 1 });
    const [found] = unasked.trajectories;
    // No state without a block: it would read as an agent that knows nothing.
    expect(before(found!, 0)).toBeUndefined();
    expect(after(found!, 1)).toEqual(["answer assistant: In the box.", "answer assistant: Yes."]);
  });
});
