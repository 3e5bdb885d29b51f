import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import type { CaptureReport, Recorder } from "@agent-step-value/sdk/capture";
import type { RunKind, RunOutcome } from "../runs/run-event.ts";
import type { RunTracker } from "../runs/run-tracker.ts";

/** Name of the handler; a middleware or another copy of this package knows it by this. */
export const HANDLER_NAME = "asv_capture";

interface Serialised {
  readonly id?: unknown;
  readonly name?: unknown;
}

/** The class path of what runs, as LangChain serialises it. */
function classPath(serialised: unknown): readonly unknown[] {
  const { id } = (serialised ?? {}) as Serialised;
  return Array.isArray(id) ? id : [];
}

function className(serialised: unknown, path: readonly unknown[]): string | undefined {
  const { name } = (serialised ?? {}) as Serialised;
  return [path.at(-1), name].find((part) => typeof part === "string");
}

function isGraphPath(path: readonly unknown[]): boolean {
  return path[0] === "langgraph" && path[1] === "pregel";
}

/**
 * Turns LangChain's callbacks into steps. Attached by {@link withASVCapture}; attach it by hand with
 * `{ callbacks: [handler] }` where a target cannot be wrapped.
 *
 * Its hooks are awaited and synchronous: when `invoke()` has returned, every step is written. They
 * never throw.
 */
export class ASVCallbackHandler extends BaseCallbackHandler {
  readonly name = HANDLER_NAME;
  override awaitHandlers = true;
  override raiseError = false;
  override ignoreCustomEvent = true;
  readonly recorder: Recorder;
  readonly #tracker: RunTracker;
  readonly #onError: (error: unknown) => void;

  /** @internal Made by `withASVCapture` and `asvCallbackHandler`. */
  constructor(recorder: Recorder, tracker: RunTracker, onError: (error: unknown) => void) {
    super();
    this.recorder = recorder;
    this.#tracker = tracker;
    this.#onError = onError;
  }

  /** Trajectories and runs under way, for a look at a leak. */
  get open(): { readonly trajectories: number; readonly runs: number } {
    return this.#tracker.size;
  }

  /** Writes what the sinks hold back. Never rejects. */
  flush(): Promise<CaptureReport> {
    return this.recorder.flush();
  }

  /**
   * LangChain declares the fourth parameter as the run's type and the eighth as its parent, and calls
   * with the parent fourth, the type seventh and the name eighth. A test holds that order.
   */
  override handleChainStart(
    chain: unknown,
    inputs: unknown,
    runId: string,
    parentRunId?: string,
    tags?: string[],
    metadata?: Record<string, unknown>,
    _runType?: string,
    runName?: string,
  ): void {
    this.#start("chain", chain, inputs, runId, parentRunId, tags, metadata, runName);
  }

  override handleChainEnd(outputs: unknown, runId: string): void {
    this.#end(runId, { is: "output", output: outputs });
  }

  override handleChainError(error: unknown, runId: string): void {
    this.#end(runId, { is: "error", error });
  }

  override handleChatModelStart(
    model: unknown,
    messages: unknown,
    runId: string,
    parentRunId?: string,
    _extra?: Record<string, unknown>,
    tags?: string[],
    metadata?: Record<string, unknown>,
    runName?: string,
  ): void {
    this.#start("model", model, messages, runId, parentRunId, tags, metadata, runName);
  }

  override handleLLMStart(
    model: unknown,
    prompts: unknown,
    runId: string,
    parentRunId?: string,
    _extra?: Record<string, unknown>,
    tags?: string[],
    metadata?: Record<string, unknown>,
    runName?: string,
  ): void {
    this.#start("model", model, prompts, runId, parentRunId, tags, metadata, runName);
  }

  override handleLLMEnd(output: unknown, runId: string): void {
    this.#end(runId, { is: "output", output });
  }

  override handleLLMError(error: unknown, runId: string): void {
    this.#end(runId, { is: "error", error });
  }

  override handleToolStart(
    tool: unknown,
    input: unknown,
    runId: string,
    parentRunId?: string,
    tags?: string[],
    metadata?: Record<string, unknown>,
    runName?: string,
    toolCallId?: string,
  ): void {
    this.#start("tool", tool, input, runId, parentRunId, tags, metadata, runName, toolCallId);
  }

  override handleToolEnd(output: unknown, runId: string): void {
    this.#end(runId, { is: "output", output });
  }

  override handleToolError(error: unknown, runId: string): void {
    this.#end(runId, { is: "error", error });
  }

  override handleRetrieverStart(
    retriever: unknown,
    query: unknown,
    runId: string,
    parentRunId?: string,
    tags?: string[],
    metadata?: Record<string, unknown>,
    name?: string,
  ): void {
    this.#start("retriever", retriever, query, runId, parentRunId, tags, metadata, name);
  }

  override handleRetrieverEnd(documents: unknown, runId: string): void {
    this.#end(runId, { is: "output", output: documents });
  }

  override handleRetrieverError(error: unknown, runId: string): void {
    this.#end(runId, { is: "error", error });
  }

  #start(
    kind: RunKind,
    serialised: unknown,
    inputs: unknown,
    id: string,
    parentId: string | undefined,
    tags: readonly string[] | undefined,
    metadata: Record<string, unknown> | undefined,
    runName: string | undefined,
    toolCallId?: string,
  ): void {
    try {
      const path = classPath(serialised);
      const isGraph = kind === "chain" && isGraphPath(path);
      const name = runName ?? className(serialised, path) ?? kind;
      this.#tracker.start({
        kind,
        id,
        parentId,
        name,
        inputs,
        tags: tags ?? [],
        metadata: metadata ?? {},
        isGraph,
        toolCallId,
      });
    } catch (error) {
      this.#onError(error);
    }
  }

  #end(id: string, outcome: RunOutcome): void {
    try {
      this.#tracker.end(id, outcome);
    } catch (error) {
      this.#onError(error);
    }
  }
}
