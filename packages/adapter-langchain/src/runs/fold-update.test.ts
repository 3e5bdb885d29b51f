import { AIMessage, HumanMessage, RemoveMessage } from "@langchain/core/messages";
import { Command, Send } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { foldUpdate, writtenChannels } from "./fold-update.ts";

const question = new HumanMessage({ id: "1", content: "q" });
const answer = new AIMessage({ id: "2", content: "a" });

describe("an update folded into a state", () => {
  it("replaces values, joins lists, and leaves both as they were", () => {
    const before = { plan: "old", list: ["a"], kept: 1 };
    const update = { plan: "new", list: ["b"] };
    expect(foldUpdate(before, [update])).toEqual({ plan: "new", list: ["a", "b"], kept: 1 });
    expect(before).toEqual({ plan: "old", list: ["a"], kept: 1 });
    expect(update.list).toEqual(["b"]);
  });

  it("merges messages by id: added, replaced, removed", () => {
    const again = new AIMessage({ id: "2", content: "better" });
    expect(foldUpdate({ messages: [question] }, [{ messages: [answer] }])).toEqual({
      messages: [question, answer],
    });
    expect(foldUpdate({ messages: [question, answer] }, [{ messages: again }])).toEqual({
      messages: [question, again],
    });
    const removal = new RemoveMessage({ id: "1" });
    expect(foldUpdate({ messages: [question, answer] }, [{ messages: [removal] }])).toEqual({
      messages: [answer],
    });
    const all = new RemoveMessage({ id: "__remove_all__" });
    expect(foldUpdate({ messages: [question] }, [{ messages: [all, answer] }])).toEqual({
      messages: [answer],
    });
  });

  it("reads Commands, lists of them as handlers see them, and takes a Send for no update", () => {
    const command = new Command({ update: { plan: "by command" }, goto: "next" });
    expect(foldUpdate({ plan: "" }, [command])).toEqual({ plan: "by command" });
    expect(foldUpdate({ plan: "" }, [{ output: [command] }])).toEqual({ plan: "by command" });
    expect(foldUpdate({ plan: "p" }, [new Send("next", { plan: "payload" })])).toEqual({ plan: "p" });
    expect([...writtenChannels([command, { list: 1 }])]).toEqual(["plan", "list"]);
  });

  it("leaves a state that is no object, and outputs that are none, alone", () => {
    expect(foldUpdate("text", [{ a: 1 }])).toBe("text");
    expect(foldUpdate({ a: 1 }, [undefined, null, 5, "x"])).toEqual({ a: 1 });
  });
});
