import type { ToolCall } from "../projection/message-blocks.ts";
import type { MessageLike } from "../projection/message-like.ts";
import type { RunKind, RunStart } from "./run-event.ts";

/** Tokens of the model calls of a task, as the models reported them. */
export interface TokenCount {
  prompt: number;
  completion: number;
}

/** A tool run inside a task. */
export interface ToolRun extends ToolCall {
  /** Tells the tries of one call from another call of the same tool; never recorded. */
  readonly callId: string | undefined;
  failed: boolean;
}

/**
 * One task of a superstep: a node with its input. A retried node is the same task once more.
 */
export class GraphTask {
  readonly node: string;
  /** Where the task stands among those of its superstep; the state applies their writes in this order. */
  readonly path: readonly unknown[];
  /** The node's own input, by reference. */
  readonly input: unknown;
  readonly startTime: number;
  endTime: number;
  /** The call that a `Send` of createAgent carries; exact where a tool run's own input is a string. */
  readonly sentCall: ToolCall | undefined;
  readonly tools: ToolRun[] = [];
  retrievers = 0;
  models = 0;
  graphs = 0;
  retries = 0;
  tokens: TokenCount | undefined;
  /** System messages its model calls were given, first call only. */
  systemPrompt: string | undefined;
  output: unknown;
  error: unknown;
  state: "running" | "done" | "failed" | "interrupted" = "running";
  readonly #failedRuns = new Set<string>();

  constructor(node: string, path: readonly unknown[], input: unknown) {
    const now = Date.now();
    this.node = node;
    this.path = path;
    this.input = input;
    this.sentCall = sentToolCall(input);
    this.startTime = now;
    this.endTime = now;
  }

  /** The node starts again after a failure. */
  again(): void {
    this.retries += 1;
    this.state = "running";
    this.error = undefined;
  }

  /** A model or tool run starts; one that follows a failed run of the same name is a retry. */
  runStarted(kind: RunKind, name: string): void {
    if (this.#failedRuns.delete(`${kind}:${name}`)) this.retries += 1;
    if (kind === "model") this.models += 1;
  }

  runFailed(kind: RunKind, name: string): void {
    this.#failedRuns.add(`${kind}:${name}`);
  }

  addTokens(tokens: TokenCount): void {
    this.tokens ??= { prompt: 0, completion: 0 };
    this.tokens.prompt += tokens.prompt;
    this.tokens.completion += tokens.completion;
  }
}

/** Tool calls as they are told: the one that was sent, else those that were seen running. */
export function callsOf(task: GraphTask): readonly ToolCall[] {
  return task.sentCall === undefined ? task.tools : [task.sentCall];
}

/** The tool call that createAgent puts into a `Send`. */
export function sentToolCall(inputs: unknown): ToolCall | undefined {
  if (typeof inputs !== "object" || inputs === null) return undefined;
  const call = (inputs as { lg_tool_call?: { name?: unknown; args?: unknown } }).lg_tool_call;
  if (typeof call !== "object" || call === null || typeof call.name !== "string") return undefined;
  return { name: call.name, args: call.args ?? {} };
}

/** A tool run's input, which LangChain hands over as text. */
export function toolInput(start: RunStart): unknown {
  if (typeof start.inputs !== "string") return start.inputs;
  try {
    return JSON.parse(start.inputs);
  } catch {
    return { input: start.inputs };
  }
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : 0;
}

/** The message of each generation of a model's result. */
export function generatedMessages(output: unknown): MessageLike[] {
  const { generations } = (output ?? {}) as { generations?: unknown };
  if (!Array.isArray(generations)) return [];
  return generations
    .flat()
    .map((generation: { message?: unknown } | null) => generation?.message)
    .filter((message): message is MessageLike => typeof message === "object" && message !== null);
}

/** Tokens a model's result reports; undefined when it reports none. */
export function reportedTokens(output: unknown): TokenCount | undefined {
  let tokens: TokenCount | undefined;
  for (const message of generatedMessages(output)) {
    const usage = message.usage_metadata as { input_tokens?: unknown; output_tokens?: unknown } | undefined;
    if (typeof usage !== "object" || usage === null) continue;
    tokens ??= { prompt: 0, completion: 0 };
    tokens.prompt += count(usage.input_tokens);
    tokens.completion += count(usage.output_tokens);
  }
  return tokens;
}
