import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  anyAgentSpans,
  langfuseSpans,
  openInferenceSpans,
  readableSpans,
  sharedTrace,
  tempoSpans,
} from "./foreign-files.test-support.ts";
import { after, before, chained, gains, read, types, type ReadResult } from "./spans.test-support.ts";

const agents = sharedTrace("openinference-openai-agents-spans.json");
const anyAgent = sharedTrace("any-agent-langchain.trace.json");
const tempo = sharedTrace("tempo-batches-adk-helm.json");
const aiSdk = sharedTrace("ai-sdk-v6-readable-spans.json");
const langGraph = sharedTrace("langfuse-langgraph-python.trace.json");
const langfuseAi = sharedTrace("langfuse-vercel-aisdk.trace.json");

/** How many spans were used in each way. */
function uses({ used }: ReadResult): Record<string, number> {
  const counts = new Map<string, number>();
  for (const use of Object.values(used)) counts.set(use, (counts.get(use) ?? 0) + 1);
  return Object.fromEntries(counts);
}

describe.skipIf(agents === undefined)("OpenInference spans of an OpenAI Agents run", () => {
  const result = agents === undefined ? undefined : read(openInferenceSpans(agents));
  const found = result?.trajectories[0];

  it("show the wrong parallel call, its repair and the right end as steps of one run", () => {
    expect(result!.trajectories).toHaveLength(1);
    expect(found!.trajectory.task.question).toBe("What is 42 multiplied by 17, then divided by 3?");
    expect(types(found!)).toEqual([
      "model",
      "model",
      "tool:multiply_numbers",
      "tool:divide_numbers",
      "model",
      "tool:divide_numbers",
      "model",
      "tool:ask_math_specialist",
      "model",
    ]);
    const gain = gains(found!);
    expect(gain[1]).toEqual([
      'tool_call multiply_numbers: {"a":42,"b":17}',
      'tool_call divide_numbers: {"a":0,"b":3}',
    ]);
    expect(gain[2]).toEqual(["evidence multiply_numbers: 714"]);
    expect(gain[3]).toEqual(["evidence divide_numbers: 0.0"]);
    expect(gain[4]).toEqual(['tool_call divide_numbers: {"a":714,"b":3}']);
    expect(gain[5]).toEqual(["evidence divide_numbers: 238.0"]);
    expect(gain[8]![0]).toMatch(/^answer assistant: .*\*\*238\*\*/);
    expect(found!.trajectory.steps.map(({ action }) => action["agent"] ?? "coordinator")).toEqual([
      "coordinator",
      ...Array.from({ length: 6 }, () => "math_specialist"),
      "coordinator",
      "coordinator",
    ]);
  });

  it("are one chain of states but for the specialist's own prompt", () => {
    const { steps } = found!.trajectory;
    expect(
      steps.map(({ discontinuity }, i) => (discontinuity === true ? i : -1)).filter((i) => i >= 0),
    ).toEqual([1]);
    expect(before(found!, 1)!.slice(-2)).toEqual([
      expect.stringMatching(/^message system: You are a math specialist agent/),
      "message user: 42 multiplied by 17, then divided by 3",
    ]);
    expect(after(found!, 3)!.slice(-2)).toEqual([
      "evidence multiply_numbers: 714",
      "evidence divide_numbers: 0.0",
    ]);
    // All states are there: nothing in this file was not captured.
    expect(
      steps.every(({ stateBefore, stateAfter }) => stateBefore !== undefined && stateAfter !== undefined),
    ).toBe(true);
  });

  it("count each call's tokens once, and lose no span", () => {
    const { steps } = found!.trajectory;
    expect(steps.map(({ cost }) => cost["prompt_tokens"])).toEqual([
      212,
      190,
      undefined,
      undefined,
      242,
      undefined,
      272,
      undefined,
      312,
    ]);
    expect(uses(result!)).toEqual({
      "openinference:run": 3,
      "openinference:folded": 7,
      "openinference:step": 9,
    });
    expect(result!.counts).toEqual({});
    expect(found!.fidelity).toBe(
      "States rebuilt from 9 steps of openinference spans; every model call carries its history.",
    );
  });
});

describe.skipIf(anyAgent === undefined)("any-agent's export of a LangChain run", () => {
  const result = anyAgent === undefined ? undefined : read(anyAgentSpans(anyAgent));

  it("is put together from what each call gave, since only the first carries the history", () => {
    const [found] = result!.trajectories;
    expect(result!.trajectories).toHaveLength(1);
    expect(found!.trajectory.trajectoryId).toBe(
      "otel/115825058289444712299650141807529952578/15531323892744358789",
    );
    expect(types(found!)).toEqual([
      "model",
      "tool:get_current_time",
      "model",
      "tool:write_file",
      "model",
      "model",
    ]);
    expect(before(found!, 0)).toEqual([
      expect.stringMatching(/^task user: Find what year it is in the America\/New_York timezone/),
      "message system: Use the available tools to answer.",
    ]);
    expect(gains(found!)[1]![0]).toContain('"datetime": "2025-09-16T09:16:41-04:00"');
    expect(gains(found!)[3]).toEqual(["evidence write_file: null"]);
    expect(chained(found!)).toBe(true);
    expect(found!.trajectory.steps.map(({ cost }) => cost["prompt_tokens"])).toEqual([
      245,
      undefined,
      331,
      undefined,
      366,
      320,
    ]);
    expect(found!.fidelity).toBe(
      "States rebuilt from 6 steps of gen-ai spans; 1 of 4 model calls carry their history, the others' states are put together.",
    );
    expect(uses(result!)).toEqual({ "gen-ai:run": 1, "gen-ai:step": 6 });
    expect(result!.counts).toEqual({});
  });
});

describe.skipIf(tempo === undefined)("a Tempo export of a Google ADK agent", () => {
  const result = tempo === undefined ? undefined : read(tempoSpans(tempo));

  it("has three steps among 86 spans; each model call was recorded three times", () => {
    const [found] = result!.trajectories;
    expect(result!.trajectories).toHaveLength(1);
    expect(found!.convention).toBe("google-adk");
    expect(found!.trajectory.task.question.trim()).toBe("list all helm releases");
    expect(types(found!)).toEqual(["model", "tool:helm_list_releases", "model"]);
    expect(gains(found!)[0]).toEqual(["tool_call helm_list_releases: {}"]);
    expect(gains(found!)[1]![0]).toMatch(/^evidence helm_list_releases: NAME\s+\tNAMESPACE/);
    expect(gains(found!)[2]![0]).toMatch(/^answer assistant: There are two Helm releases/);
    expect(chained(found!)).toBe(true);
    expect(found!.trajectory.steps.map(({ cost }) => cost["prompt_tokens"])).toEqual([2256, undefined, 2392]);
    expect(uses(result!)).toEqual({
      "none:plumbing": 77,
      "gen-ai:run": 2,
      "google-adk:step": 3,
      "gen-ai:folded": 4,
    });
    // The controller's own invoke_agent span holds HTTP traffic alone: its agent is in another branch.
    expect(result!.counts).toEqual({ no_calls: 1, double_recorded: 4 });
    expect(JSON.stringify(found)).not.toMatch(/admin@kagent\.dev|user_agent|10\.\d+\.\d+\.\d+/);
  });
});

describe.skipIf(aiSdk === undefined)("dumped spans of AI SDK 6, recorded without a context manager", () => {
  const result =
    aiSdk === undefined ? undefined : read(readableSpans(JSON.parse(readFileSync(aiSdk, "utf8"))));

  it("are four calls of one step each; the runs round them hold nothing", () => {
    const { trajectories } = result!;
    expect(trajectories.map(({ trajectory }) => trajectory.task.question)).toEqual([
      "Write a haiku about programming.",
      "And what is 3 + 3?",
      "Generate a simple recipe for scrambled eggs.",
      "Write a short poem about TypeScript.",
    ]);
    expect(before(trajectories[1]!, 0)).toEqual([
      "task user: And what is 3 + 3?",
      "message system: You are a helpful assistant.",
      "message user: What is 2 + 2?",
      "answer assistant: 2 + 2 equals 4.",
    ]);
    expect(gains(trajectories[1]!)).toEqual([["answer assistant: 3 + 3 equals 6."]]);
    expect(gains(trajectories[2]!)[0]![0]).toMatch(/^answer assistant: \{"name":"Scrambled Eggs"/);
    expect(trajectories.map(({ trajectory }) => trajectory.steps[0]!.cost["completion_tokens"])).toEqual([
      20, 9, 156, 112,
    ]);
    expect(uses(result!)).toEqual({ "ai-sdk:run": 4, "ai-sdk:step": 4, "ai-sdk:plumbing": 2 });
    expect(result!.counts).toEqual({ no_calls: 4, no_run: 4 });
    expect(JSON.stringify(trajectories)).not.toMatch(/resp_0|user-agent|custom-value/);
  });
});

describe.skipIf(langGraph === undefined)("a Langfuse export of a LangGraph run, as spans", () => {
  const result = langGraph === undefined ? undefined : read(langfuseSpans(langGraph));

  it("has model, tool, model; nodes are folded and routing is left out", () => {
    const [found] = result!.trajectories;
    expect(found!.trajectory.task.question).toBe("Search the web for 'example' and summarize.");
    expect(types(found!)).toEqual(["model", "tool:Web-Search", "model"]);
    expect(found!.trajectory.steps[1]!.action["calls"]).toEqual([
      { tool: "Web-Search", args: { query: "example" } },
    ]);
    expect(gains(found!)[1]).toEqual([
      'evidence Web-Search: [{"url": "https://example.com", "title": "Example Result", "q": "example"}]',
    ]);
    expect(chained(found!)).toBe(true);
    expect(uses(result!)).toEqual({
      "langfuse:run": 1,
      "langfuse:folded": 3,
      "langfuse:step": 3,
      "langfuse:plumbing": 2,
    });
    expect(result!.counts).toEqual({});
  });
});

describe.skipIf(langfuseAi === undefined)("a Langfuse export of AI SDK 5, as spans", () => {
  const result = langfuseAi === undefined ? undefined : read(langfuseSpans(langfuseAi));

  it("stops at the tool call; generateText and doGenerate are one call with the inner one's tokens", () => {
    const [found] = result!.trajectories;
    expect(types(found!)).toEqual(["model", "tool:getWeather"]);
    expect(before(found!, 0)).toEqual(["task user: What is the weather like today in San Francisco?"]);
    expect(gains(found!)[1]).toEqual(['evidence getWeather: {"location":"San Francisco","temperature":64}']);
    expect(found!.trajectory.steps[0]!.cost).toMatchObject({ prompt_tokens: 62, completion_tokens: 85 });
    expect(result!.counts).toEqual({ double_recorded: 1, no_run: 1 });
    expect(JSON.stringify(found)).not.toContain("hallucination");
  });
});
