import * as ai5 from "ai-v5";
import { MockLanguageModelV2 } from "ai-v5/test";
import * as ai6 from "ai-v6";
import { MockLanguageModelV3 } from "ai-v6/test";
import * as ai7 from "ai";
import { MockLanguageModelV4 } from "ai/test";

/** The namespace of any major, as loosely typed as code that runs on all of them must be. */
export type AI = Record<string, any>;

/** One turn of a scripted model. */
export interface Turn {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly {
    readonly id: string;
    readonly tool: string;
    readonly input: unknown;
    readonly provider?: unknown;
  }[];
  /** Further parts of the provider, as content and as stream parts alike. */
  readonly parts?: readonly Record<string, unknown>[];
  readonly finish?: string;
  readonly usage?: { readonly inputTokens?: unknown; readonly outputTokens?: unknown };
  /** Thrown by the call. */
  readonly throws?: unknown;
  /** The stream errors after its text. */
  readonly breaks?: unknown;
  /** The stream tells of an error after its text, and ends. */
  readonly tells?: unknown;
  /** Words of text after which a streamed turn waits for ever. */
  readonly hangs?: boolean;
}

export type Script = (turn: number, prompt: readonly any[]) => Turn | Promise<Turn>;

/** What was asked of a scripted model. */
export interface Asked {
  calls: number;
  /** Chunks that its streams were asked for. */
  pulls: number;
}

export interface Major {
  readonly major: 5 | 6 | 7;
  readonly ai: AI;
  model(script: Script | readonly Turn[]): { model: any; asked: Asked };
}

function usageOf(major: number, usage: NonNullable<Turn["usage"]>): unknown {
  // What is given as undefined stays so.
  const inputTokens = "inputTokens" in usage ? usage.inputTokens : 10;
  const outputTokens = "outputTokens" in usage ? usage.outputTokens : 4;
  if (major === 5) return { inputTokens, outputTokens, totalTokens: 14 };
  return {
    inputTokens: { total: inputTokens, noCache: inputTokens, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: outputTokens, text: outputTokens, reasoning: undefined },
  };
}

function finishOf(major: number, turn: Turn): unknown {
  const reason = turn.finish ?? ((turn.calls?.length ?? 0) > 0 ? "tool-calls" : "stop");
  return major === 5 ? reason : { unified: reason, raw: reason };
}

function callsOf(turn: Turn): Record<string, unknown>[] {
  return (turn.calls ?? []).map(({ id, tool, input, provider }) => ({
    type: "tool-call",
    toolCallId: id,
    toolName: tool,
    input: typeof input === "string" ? input : JSON.stringify(input),
    ...(provider !== undefined && { providerExecuted: true }),
  }));
}

function resultsOf(turn: Turn): Record<string, unknown>[] {
  return (turn.calls ?? [])
    .filter(({ provider }) => provider !== undefined)
    .map(({ id, tool, provider }) => ({
      type: "tool-result",
      toolCallId: id,
      toolName: tool,
      result: provider,
      providerExecuted: true,
    }));
}

function contentOf(turn: Turn): Record<string, unknown>[] {
  return [
    ...(turn.reasoning === undefined ? [] : [{ type: "reasoning", text: turn.reasoning }]),
    ...(turn.text === undefined ? [] : [{ type: "text", text: turn.text }]),
    ...(turn.parts ?? []),
    ...callsOf(turn),
    ...resultsOf(turn),
  ];
}

function streamOf(
  major: number,
  turn: Turn,
  asked: Asked,
  signal: AbortSignal | undefined,
): ReadableStream<unknown> {
  const words = (turn.text ?? "").split(/(?<= )/).filter((word) => word !== "");
  const parts: Record<string, unknown>[] = [{ type: "stream-start", warnings: [] }];
  if (turn.reasoning !== undefined) {
    parts.push(
      { type: "reasoning-start", id: "r" },
      { type: "reasoning-delta", id: "r", delta: turn.reasoning },
      { type: "reasoning-end", id: "r" },
    );
  }
  if (words.length > 0) {
    parts.push({ type: "text-start", id: "t" });
    for (const delta of words) parts.push({ type: "text-delta", id: "t", delta });
    if (!turn.hangs && turn.breaks === undefined) parts.push({ type: "text-end", id: "t" });
  }
  if (turn.tells !== undefined) parts.push({ type: "error", error: turn.tells });
  parts.push(...(turn.parts ?? []), ...callsOf(turn), ...resultsOf(turn));
  const ends = !turn.hangs && turn.breaks === undefined;
  if (ends)
    parts.push({
      type: "finish",
      finishReason: finishOf(major, turn),
      usage: usageOf(major, turn.usage ?? {}),
    });
  return new ReadableStream({
    async pull(controller) {
      asked.pulls += 1;
      const part = parts.shift();
      if (part !== undefined) return controller.enqueue(part);
      if (ends) return controller.close();
      if (turn.breaks !== undefined) return controller.error(turn.breaks);
      await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
      controller.error(signal?.reason);
    },
  });
}

function mock(major: 5 | 6 | 7, Model: new (options: any) => unknown) {
  return (script: Script | readonly Turn[]) => {
    const asked: Asked = { calls: 0, pulls: 0 };
    const turnOf: Script =
      typeof script === "function" ? script : (turn) => script[turn] ?? { text: "The end." };
    const next = async ({ prompt }: { prompt: readonly unknown[] }) => {
      const turn = await turnOf(asked.calls++, prompt);
      if (turn.throws !== undefined) throw turn.throws;
      return turn;
    };
    const model = new Model({
      provider: "scripted",
      modelId: "scripted-1",
      supportedUrls: { "*/*": [/^https?:/] },
      doGenerate: async (options: any) => {
        const turn = await next(options);
        options.abortSignal?.throwIfAborted();
        return {
          content: contentOf(turn),
          finishReason: finishOf(major, turn),
          usage: usageOf(major, turn.usage ?? {}),
          warnings: [],
          response: { id: "response", timestamp: new Date(0), modelId: "scripted-1" },
        };
      },
      doStream: async (options: any) => ({
        stream: streamOf(major, await next(options), asked, options.abortSignal),
      }),
    });
    return { model, asked };
  };
}

export const majors: readonly Major[] = [
  { major: 5, ai: ai5 as AI, model: mock(5, MockLanguageModelV2) },
  { major: 6, ai: ai6 as AI, model: mock(6, MockLanguageModelV3) },
  { major: 7, ai: ai7 as AI, model: mock(7, MockLanguageModelV4) },
];

/** `stepCountIs` under the name that the major has. */
export function stopAfter({ ai }: Major, steps: number): unknown {
  return (ai["isStepCount"] ?? ai["stepCountIs"])(steps);
}
