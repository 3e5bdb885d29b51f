import { trace } from "@opentelemetry/api";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import { importOtlp } from "@agent-step-value/adapter-otel";
import type { Trajectory } from "@agent-step-value/sdk";
import { LegacyOpenTelemetry, OpenTelemetry } from "@ai-sdk/otel";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  captured,
  SpanBook,
  trajectoriesOf,
  useContextManager,
  type SeenTrajectory,
} from "./captured.test-support.ts";
import { majors, stopAfter, type AI, type Major, type Turn } from "./majors.test-support.ts";
import { drain, hostOf, question, searchTools } from "./scenarios.test-support.ts";

// The same runs, captured by us and recorded by the SDK's own telemetry at the same time. What the spans lack
// is what the assertions below say of them; the table in the README lists it.

afterAll(useContextManager());
afterEach(() => {
  trace.disable();
});

const [five, six, seven] = majors as [Major, Major, Major];

interface Source {
  readonly name: string;
  readonly major: Major;
  readonly telemetry: (spans: SpanBook) => object;
}

const core = (spans: SpanBook) => ({
  experimental_telemetry: { isEnabled: true, tracer: spans.provider.getTracer("ai") },
});

const sources: readonly Source[] = [
  { name: "AI SDK 5, its core spans", major: five, telemetry: core },
  { name: "AI SDK 6, its core spans", major: six, telemetry: core },
  {
    name: "AI SDK 7, LegacyOpenTelemetry",
    major: seven,
    telemetry: (spans) => ({
      telemetry: { integrations: [new LegacyOpenTelemetry({ tracer: spans.provider.getTracer("ai") })] },
    }),
  },
  {
    name: "AI SDK 7, OpenTelemetry",
    major: seven,
    telemetry: (spans) => ({
      telemetry: { integrations: [new OpenTelemetry({ tracer: spans.provider.getTracer("ai") })] },
    }),
  },
];

function tools(ai: AI): Record<string, unknown> {
  return {
    ...searchTools(ai),
    broken: ai["tool"]({
      description: "Breaks.",
      inputSchema: z.object({}),
      execute: async () => {
        throw new Error("the index is down");
      },
    }),
  };
}

const turns: readonly Turn[] = [
  {
    text: "I look.",
    calls: [
      { id: "c1", tool: "search", input: { query: "fast" } },
      { id: "c2", tool: "broken", input: {} },
    ],
  },
  { calls: [{ id: "c3", tool: "lookup", input: { key: "harbour" } }] },
  { text: "The lamp is green." },
];

/** What adapter-otel reads of spans, by way of the bytes that the official exporter would send. */
async function importedRuns(theirs: SpanBook): Promise<Trajectory[]> {
  const imported: Trajectory[] = [];
  const bytes = JsonTraceSerializer.serializeRequest(theirs.ended)!;
  for await (const trajectory of importOtlp(bytes)) imported.push(trajectory);
  return imported;
}

async function run(
  source: Source,
  streams: boolean,
  stopAt = 5,
): Promise<{ own: SeenTrajectory; imported: Trajectory[] }> {
  const theirs = new SpanBook();
  const { ai, sink } = captured(source.major);
  const host = hostOf(source.major, ai);
  const call = {
    model: host.model(turns),
    tools: tools(ai),
    stopWhen: stopAfter(source.major, stopAt),
    prompt: question,
    ...source.telemetry(theirs),
  };
  if (streams) await drain(ai["streamText"](call).fullStream);
  else await ai["generateText"](call);
  return { own: trajectoriesOf(sink)[0]!, imported: await importedRuns(theirs) };
}

/** Imported steps with those that belong to one step of the SDK together: a model call and the tools behind it. */
function grouped({ steps }: Trajectory): Trajectory["steps"][] {
  const groups: Trajectory["steps"][] = [];
  for (const step of steps) {
    if (step.action["type"] === "model" || groups.length === 0) groups.push([]);
    groups.at(-1)!.push(step);
  }
  return groups;
}

function toolsOf(steps: Trajectory["steps"]): string[] {
  return steps
    .map(({ action }) => action["type"] as string)
    .filter((type) => type.startsWith("tool:"))
    .sort();
}

function ownTools(action: Record<string, unknown>): string[] {
  const calls = (action["calls"] ?? []) as readonly { tool: string }[];
  return calls.map(({ tool }) => `tool:${tool}`).sort();
}

/** Blocks of a state; where a failing tool's text begins with the error's name, without it. */
function blocksOf(state: unknown): string[] {
  const { blocks } = state as { blocks: { kind: string; name?: string; text: string }[] };
  return blocks.map(({ kind, name, text }) => `${kind} ${name}: ${text.replace(/^Error: /, "")}`);
}

const plain = (blocks: readonly string[]) => blocks.map((block) => block.replace(": Error: ", ": "));

describe.each(sources)("$name", (source) => {
  it.each([false, true])(
    "streamed %s: the imported run has the same steps, actions and states",
    async (streams) => {
      const { own, imported } = await run(source, streams);
      expect(imported.length).toBe(1);
      const groups = grouped(imported[0]!);
      expect(imported[0]!.task.question).toBe(
        own.open["task"] && (own.open["task"] as Record<string, unknown>)["question"],
      );
      expect(groups.map(toolsOf)).toEqual(own.steps.map((step) => ownTools(step.action)));
      expect(groups.map(toolsOf)).toEqual([["tool:broken", "tool:search"], ["tool:lookup"], []]);
      // Blocks of one step may come in another order: spans of parallel tools say when they ended, not their place.
      groups.forEach((group, i) => {
        const theirs = blocksOf(group.at(-1)!.stateAfter);
        expect(theirs.toSorted()).toEqual(plain(own.steps[i]!.blocks!).toSorted());
      });
      const tokens = (steps: Trajectory["steps"]) =>
        steps.find(({ action }) => action["type"] === "model")?.cost["prompt_tokens"];
      expect(groups.map(tokens)).toEqual(own.steps.map((step) => step.cost["prompt_tokens"]));
    },
  );

  it("a run that stops at a tool step: the last results are in both, and the spans no longer tell a text from JSON", async () => {
    const { own, imported } = await run(source, false, 1);
    const last = blocksOf(imported[0]!.steps.at(-1)!.stateAfter);
    const quoted = plain(own.steps[0]!.blocks!).map((block) =>
      block.replace("evidence search: found fast", 'evidence search: "found fast"'),
    );
    expect(last.toSorted()).toEqual(quoted.toSorted());
  });

  it("a system prompt is the actor's with us, and a message of every state in an import", async () => {
    const theirs = new SpanBook();
    const { ai, sink } = captured(source.major);
    const host = hostOf(source.major, ai);
    const system = source.major.major === 7 ? { instructions: "Be brief." } : { system: "Be brief." };
    await ai["generateText"]({
      model: host.model([{ text: "Green." }]),
      prompt: question,
      ...system,
      ...source.telemetry(theirs),
    });
    const [own] = trajectoriesOf(sink);
    expect(own!.open["metadata"]).toMatchObject({ actor: { system_prompt: "Be brief." } });
    const [imported] = await importedRuns(theirs);
    const extra = blocksOf(imported!.steps[0]!.stateAfter).filter(
      (block) => !own!.steps[0]!.blocks!.includes(block),
    );
    expect(extra).toEqual(["message system: Be brief."]);
  });
});

describe("what the SDK's spans lack", () => {
  it("the end of a run whose reader leaves: its spans never end, so that they are never exported", async () => {
    for (const source of sources) {
      const theirs = new SpanBook();
      const { ai, sink, spans } = captured(source.major);
      const host = hostOf(source.major, ai);
      const stream = ai["streamText"]({
        model: host.model([{ text: "One two three four five six." }]),
        prompt: question,
        ...source.telemetry(theirs),
      });
      for await (const _ of stream.textStream) break;
      expect(theirs.open.size).toBeGreaterThan(0);
      expect(spans.open.size).toBe(0);
      expect(trajectoriesOf(sink)[0]!.closed).toBe("abandoned");
    }
  });
});
