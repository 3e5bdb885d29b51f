import { describe, expect, it } from "vitest";
import { dialects, spans } from "./parallel-dialects.test-support.ts";
import {
  asked,
  came,
  chatCalls,
  chatResults,
  genAi,
  json,
  messages,
  said,
  turn,
  user,
  type Attributes,
} from "./parallel-messages.test-support.ts";
import {
  after,
  before,
  chained,
  gains,
  read,
  spansOf,
  types,
  type SpanFields,
} from "./spans.test-support.ts";

const calls = ['tool_call search: {"q":"lamp"}', 'tool_call search: {"q":"door"}'];
const evidence = ["evidence search: The lamp is green.", "evidence search: The door is red."];

describe.each(dialects)("$name", (dialect) => {
  it.each([
    ["with the model call that was shown the results", {}],
    ["without it", { later: false }],
    ["told by that call alone", { tools: false }],
  ])("each result stands where its call does, %s", (_, parts) => {
    const { trajectories } = read(spansOf(...spans(dialect, parts)));
    const [found] = trajectories;
    expect(types(found!).slice(0, 3)).toEqual(["model", "tool:search", "tool:search"]);
    expect(gains(found!).slice(0, 3)).toEqual([calls, [evidence[0]], [evidence[1]]]);
    // The step's own call is the one its result belongs to.
    expect(found!.trajectory.steps.slice(1, 3).map(({ action }) => action["calls"])).toEqual(
      asked.map(({ q }) => [{ tool: "search", args: { q } }]),
    );
    expect(chained(found!)).toBe(true);
    expect(after(found!, 2)!.slice(-4)).toEqual([...calls, ...evidence]);
  });
});

describe("results of side by side calls", () => {
  const [plain] = dialects;
  const without = (attributes: Attributes, ...names: string[]): Attributes =>
    Object.fromEntries(Object.entries(attributes).filter(([name]) => !names.includes(name)));

  it("without ids stand in the order in which they came", () => {
    const anonymous = (list: readonly object[]) =>
      list.map((item) => without(item as Attributes, "tool_call_id", "id"));
    const nameless = { ...turn, tool_calls: anonymous(chatCalls) };
    const { trajectories } = read(
      spansOf(
        ...spans({
          ...plain!,
          tool: (call) => without(plain!.tool(call), "gen_ai.tool.call.id"),
          first: genAi("chat", { ...messages("input", [user]), ...messages("output", [nameless]) }),
          second: genAi("chat", {
            ...messages("input", [user, nameless, ...anonymous(chatResults)]),
            ...messages("output", [said]),
          }),
        }),
      ),
    );
    expect(gains(trajectories[0]!).slice(1, 3)).toEqual([[evidence[1]], [evidence[0]]]);
  });

  it("without ids are told by the arguments of their spans", () => {
    const { trajectories } = read(
      spansOf(
        ...spans({
          ...plain!,
          tool: (call) => ({
            ...without(plain!.tool(call), "gen_ai.tool.call.id"),
            "gen_ai.tool.call.arguments": json({ q: call.q }),
          }),
        }),
      ),
    );
    expect(gains(trajectories[0]!).slice(1, 3)).toEqual([[evidence[0]], [evidence[1]]]);
  });

  it.each(["unknown", "None", ""])("whose spans all have the id %j are two calls and not one", (id) => {
    const { trajectories, counts } = read(
      spansOf(
        ...spans({
          ...plain!,
          tool: (call) => ({
            ...plain!.tool(call),
            "gen_ai.tool.call.id": id,
            "gen_ai.tool.call.arguments": json({ q: call.q }),
          }),
        }).map((span) => (span.id.startsWith("c") ? { ...span, at: 20, until: 30 } : span)),
      ),
    );
    expect(gains(trajectories[0]!).slice(1, 3)).toEqual([[evidence[0]], [evidence[1]]]);
    expect(counts["double_recorded"]).toBeUndefined();
  });

  it("of two tools stay in the order in which they came: their names tell them apart", () => {
    const two = { ...turn, tool_calls: [chatCalls[0]!, { ...chatCalls[1]!, name: "look" }] };
    const { trajectories } = read(
      spansOf(
        ...spans(
          {
            ...plain!,
            tool: (call) => ({
              ...plain!.tool(call),
              ...(call.id === "c2" && { "gen_ai.tool.name": "look" }),
            }),
            first: genAi("chat", { ...messages("input", [user]), ...messages("output", [two]) }),
          },
          { later: false },
        ),
      ),
    );
    expect(types(trajectories[0]!)).toEqual(["model", "tool:look", "tool:search"]);
  });

  it("do not change places with a model call between them", () => {
    const between: SpanFields = {
      id: "between",
      parent: "run",
      at: 23,
      until: 24,
      attributes: genAi("chat", {
        ...messages("input", [user, turn, chatResults[0]!]),
        ...messages("output", [{ role: "assistant", content: "One so far." }]),
      }),
    };
    const all = spans(plain!, { later: false });
    const { trajectories } = read(spansOf(...all.slice(0, 3), between, all[3]!));
    expect(types(trajectories[0]!)).toEqual(["model", "tool:search", "model", "tool:search"]);
    // The call in between had seen one result alone.
    expect(before(trajectories[0]!, 2)!.filter((line) => line.startsWith("evidence"))).toEqual([evidence[1]]);
  });

  it("of calls in several turns with one id stand with their own turn's call", () => {
    const again = [asked[0], asked[1]].map(({ id }) => ({ id, name: "search", args: { q: `again ${id}` } }));
    const second = { ...turn, tool_calls: again };
    const later = came.map(({ id }) => ({ role: "tool", tool_call_id: id, content: `later ${id}` }));
    const { trajectories } = read(
      spansOf(
        { id: "run", at: 0, until: 100, attributes: plain!.root },
        {
          id: "say",
          parent: "run",
          at: 40,
          attributes: genAi("chat", {
            ...messages("input", [user, turn, ...chatResults, second, ...later]),
            ...messages("output", [said]),
          }),
        },
      ),
    );
    expect(before(trajectories[0]!, 0)!.slice(1)).toEqual([
      ...calls,
      ...evidence,
      'tool_call search: {"q":"again c1"}',
      'tool_call search: {"q":"again c2"}',
      "evidence search: later c1",
      "evidence search: later c2",
    ]);
  });

  it("that a call is given alone stand in the order of the calls that wait for them", () => {
    const { trajectories } = read(
      spansOf(
        ...spans(
          {
            ...plain!,
            second: genAi("chat", { ...messages("input", chatResults), ...messages("output", [said]) }),
          },
          { tools: false },
        ),
      ),
    );
    expect(gains(trajectories[0]!).slice(1, 3)).toEqual([[evidence[0]], [evidence[1]]]);
  });
});
