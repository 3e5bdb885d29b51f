import { z } from "zod";
import { stopAfter, type AI, type Asked, type Major, type Script, type Turn } from "./majors.test-support.ts";

/** A major as a host uses it: bare or captured. */
export interface Host {
  readonly major: Major;
  readonly ai: AI;
  /** A scripted model whose calls and pulls are counted. */
  model(script: Script | readonly Turn[]): any;
  readonly asked: Asked[];
}

export function hostOf(major: Major, ai: AI): Host {
  const asked: Asked[] = [];
  return {
    major,
    ai,
    asked,
    model(script) {
      const made = major.model(script);
      asked.push(made.asked);
      return made.model;
    },
  };
}

export const question = "What colour is the lamp?";

/** Asks for two searches at once, then looks something up, then answers. */
export const searching: readonly Turn[] = [
  {
    text: "Two places to look.",
    calls: [
      { id: "call-1", tool: "search", input: { query: "slow" } },
      { id: "call-2", tool: "search", input: { query: "fast" } },
    ],
  },
  { calls: [{ id: "call-3", tool: "lookup", input: { key: "harbour" } }] },
  { text: "The lamp is green." },
];

/** Tools of {@link searching}. The search that is called first ends last. */
export function searchTools(ai: AI): Record<string, any> {
  return {
    search: ai["tool"]({
      description: "Searches.",
      inputSchema: z.object({ query: z.string() }),
      execute: async ({ query }: { query: string }) => {
        for (let turn = 0; turn < (query === "slow" ? 60 : 2); turn += 1) await Promise.resolve();
        return `found ${query}`;
      },
    }),
    lookup: ai["tool"]({
      description: "Looks up.",
      inputSchema: z.object({ key: z.string() }),
      execute: async ({ key }: { key: string }) => ({ value: `of ${key}` }),
    }),
  };
}

export function searchCall(host: Host): Record<string, unknown> {
  return {
    model: host.model(searching),
    tools: searchTools(host.ai),
    stopWhen: stopAfter(host.major, 5),
    prompt: question,
  };
}

/** The class of agents of a major. */
export function agentClass({ ai }: Host): new (settings: unknown) => any {
  return (ai["ToolLoopAgent"] ?? ai["Experimental_Agent"]) as never;
}

export async function drain(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const chunks: unknown[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

/** Everything of a result that is there once it is complete. */
export async function resultOf(result: any): Promise<unknown> {
  const [text, steps, finishReason, usage, totalUsage, response] = await Promise.all([
    result.text,
    result.steps,
    result.finishReason,
    result.usage,
    result.totalUsage,
    result.response,
  ]);
  return { text, steps, finishReason, usage, totalUsage, response };
}

/** What a call throws, or its result. */
export async function outcomeOf(call: () => unknown): Promise<unknown> {
  try {
    return { result: await call() };
  } catch (error) {
    return { thrown: error instanceof Error ? `${error.name}: ${error.message}` : error };
  }
}

/** Chunks of a stream, and what it ended with. */
export async function chunksOf(stream: AsyncIterable<unknown>): Promise<unknown> {
  const chunks: unknown[] = [];
  const end = await outcomeOf(async () => {
    for await (const chunk of stream) chunks.push(chunk);
  });
  return { chunks, end };
}
