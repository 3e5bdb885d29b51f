import { describe, expect, it } from "vitest";
import { captured, chains, normalised, trajectoriesOf } from "./captured.test-support.ts";
import { majors, stopAfter, type Turn } from "./majors.test-support.ts";
import { drain, hostOf, question, searchCall, searchTools } from "./scenarios.test-support.ts";

describe.each(majors)('ai $major, steps: "split"', (major) => {
  it("the tools of a model call are a step of their own, as in other adapters", async () => {
    const seen: unknown[] = [];
    for (const streams of [false, true]) {
      const { ai, sink, spans } = captured(major, { steps: "split" });
      const call = searchCall(hostOf(major, ai));
      if (streams) await drain(ai["streamText"](call).fullStream);
      else await ai["generateText"](call);
      const [run] = trajectoriesOf(sink);
      expect(run!.steps.map((step) => [step.type, step.kind, step.status, step.fidelity])).toEqual([
        ["model", "llm", "ok", "step-result"],
        ["tool:search", "tool", "ok", "step-result"],
        ["model", "llm", "ok", "step-result"],
        ["tool:lookup", "tool", "ok", "step-result"],
        ["model", "llm", "ok", "step-result"],
      ]);
      expect(chains(run!)).toBe(true);
      expect(run!.steps.map((step) => step.blocks!.length)).toEqual([4, 6, 7, 8, 9]);
      expect(run!.steps[0]!.cost).toEqual({ prompt_tokens: 10, completion_tokens: 4 });
      expect(run!.steps[1]!.cost).toEqual({ tool_calls: 2 });
      expect(spans.open.size).toBe(0);
      seen.push(normalised(run!));
    }
    expect(seen[1]).toEqual(seen[0]);
  });

  it("what joined steps end with is what the tool steps end with", async () => {
    const joined = captured(major);
    await joined.ai["generateText"](searchCall(hostOf(major, joined.ai)));
    const split = captured(major, { steps: "split" });
    await split.ai["generateText"](searchCall(hostOf(major, split.ai)));
    const [one] = trajectoriesOf(joined.sink);
    const [two] = trajectoriesOf(split.sink);
    expect(one!.steps.map((step) => step.after)).toEqual([1, 3, 4].map((i) => two!.steps[i]!.after));
  });

  it("a step without results of tools stays one", async () => {
    const { ai, sink } = captured(major, { steps: "split" });
    const host = hostOf(major, ai);
    const tools = {
      ...searchTools(ai),
      ask: ai["tool"]({ description: "Asks.", inputSchema: searchTools(ai)["search"].inputSchema }),
    };
    const turns: Turn[] = [{ calls: [{ id: "1", tool: "ask", input: { query: "colour" } }] }];
    await ai["generateText"]({
      model: host.model(turns),
      tools,
      prompt: question,
      stopWhen: stopAfter(major, 3),
    });
    expect(trajectoriesOf(sink)[0]!.steps.map((step) => step.type)).toEqual(["tool:ask"]);
  });
});
