import { context, type Context } from "@opentelemetry/api";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import type { ToolCall } from "../projection/message-blocks.ts";
import type { CaptureContext } from "../runs/capture-context.ts";
import { Sweep } from "../runs/sweep.ts";
import { captureContext } from "../wrap/capture-handler.ts";
import type { ASVCaptureOptions } from "../wrap/capture-options.ts";
import { HANDLER_NAME } from "../wrap/callback-handler.ts";
import { MiddlewareRun, type Waiting } from "./middleware-run.ts";

/** The brand by which createAgent knows a middleware; written here so that `langchain` stays optional. */
const BRAND = Symbol.for("AgentMiddleware");

interface Request {
  readonly state: unknown;
  readonly systemPrompt?: unknown;
  readonly toolCall?: { readonly name?: unknown; readonly args?: unknown };
  readonly tool?: { readonly returnDirect?: unknown };
  readonly runtime?: { readonly writer?: unknown };
}

/** A middleware as createAgent takes it. */
export interface ASVMiddleware {
  name: string;
  wrapModelCall(request: any, handler: (request: any) => any): Promise<any>;
  wrapToolCall(request: any, handler: (request: any) => any): Promise<any>;
}

/** True inside a run that a handler of ours captures already. */
function isCaptured(): boolean {
  const { callbacks } = (AsyncLocalStorageProviderSingleton.getRunnableConfig() ?? {}) as {
    callbacks?: { handlers?: readonly { name?: unknown }[] } | readonly { name?: unknown }[];
  };
  const handlers = Array.isArray(callbacks)
    ? callbacks
    : (callbacks as { handlers?: unknown } | undefined)?.handlers;
  return (
    Array.isArray(handlers) &&
    handlers.some((handler: { name?: unknown } | null) => handler?.name === HANDLER_NAME)
  );
}

/** Runs of one agent, by the stream writer that LangGraph gives each run. */
class MiddlewareRuns {
  readonly #context: CaptureContext;
  readonly #onError: (error: unknown) => void;
  readonly #byWriter = new WeakMap<object, MiddlewareRun>();
  readonly #open = new Set<MiddlewareRun>();
  readonly #sweep: Sweep;

  constructor(options: ASVCaptureOptions) {
    const { capture, onError } = captureContext(options, undefined);
    const maxOpenMs = options.maxOpenMs ?? 600_000;
    this.#context = capture;
    this.#onError = onError;
    this.#sweep = new Sweep(maxOpenMs, () => this.#sweepIdle(maxOpenMs));
  }

  /** Calls our own code; what goes wrong there is never the host's. */
  attempt<T>(run: () => T): T | undefined {
    try {
      return run();
    } catch (error) {
      this.#onError(error);
      return undefined;
    }
  }

  of(request: Request): MiddlewareRun | undefined {
    const writer = request.runtime?.writer;
    if (typeof writer !== "function" || isCaptured()) return undefined;
    let run = this.#byWriter.get(writer);
    if (run === undefined) {
      const prompt = typeof request.systemPrompt === "string" ? request.systemPrompt : undefined;
      run = new MiddlewareRun(this.#context, request.state, prompt === "" ? undefined : prompt);
      this.#byWriter.set(writer, run);
    }
    this.#open.add(run);
    this.#sweep.wait();
    return run;
  }

  done(run: MiddlewareRun): void {
    this.#open.delete(run);
  }

  #sweepIdle(maxOpenMs: number): boolean {
    const oldest = Date.now() - maxOpenMs;
    for (const run of this.#open) {
      if (run.touchedAt >= oldest) continue;
      this.#open.delete(run);
      run.abandon();
    }
    return this.#open.size > 0;
  }
}

function inside<T>(at: Context | undefined, run: () => T): T {
  return at === undefined ? run() : context.with(at, run);
}

function toolCallOf(request: Request): ToolCall {
  const { name, args } = request.toolCall ?? {};
  return { name: typeof name === "string" ? name : "unknown", args: args ?? {} };
}

/**
 * Capture as a middleware of createAgent, for agents whose callbacks cannot be used: their caller
 * replaces them, or the step spans must be active while models and tools run.
 *
 * Wraps model calls and tool calls and adds no node. What it cannot see it cannot record: where a run
 * ends is taken from an answer without tool calls, the last after-state is before-state plus answer,
 * and wrapping tool calls gives an agent without tools a `tools` node. Prefer
 * {@link withASVCapture}; inside a run that it captures, this middleware does nothing.
 *
 * @example
 * createAgent({ model, tools, middleware: [asvMiddleware({ file: "runs.asv.jsonl" })] })
 */
export function asvMiddleware(options: ASVCaptureOptions = {}): ASVMiddleware {
  const runs = new MiddlewareRuns(options);
  return {
    [BRAND]: true,
    name: HANDLER_NAME,
    async wrapModelCall(request: Request, handler) {
      const run = runs.attempt(() => runs.of(request));
      const step: Waiting | undefined = run && runs.attempt(() => run.modelStarted(request.state));
      if (run === undefined || step === undefined) return handler(request);
      try {
        const output: unknown = await inside(step.step.context, () => handler(request));
        runs.attempt(() => run.modelEnded(step, output) && runs.done(run));
        return output;
      } catch (error) {
        runs.attempt(() => run.modelFailed(step, error));
        runs.done(run);
        throw error;
      }
    },
    async wrapToolCall(request: Request, handler) {
      const call = toolCallOf(request);
      const run = runs.attempt(() => runs.of(request));
      const step: Waiting | undefined = run && runs.attempt(() => run.toolStarted(request.state, call));
      if (run === undefined || step === undefined) return handler(request);
      try {
        const output: unknown = await inside(step.step.context, () => handler(request));
        runs.attempt(() => {
          run.toolEnded(step, call, output);
          const ends = request.tool?.returnDirect === true && run.returnedDirectly(step);
          if (ends) runs.done(run);
        });
        return output;
      } catch (error) {
        runs.attempt(() => run.toolFailed(step, error));
        throw error;
      }
    },
  } as ASVMiddleware;
}
