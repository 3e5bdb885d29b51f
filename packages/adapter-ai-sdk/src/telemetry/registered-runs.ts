import { context } from "@opentelemetry/api";
import { fieldOf } from "../hooks/alongside.ts";
import { AgentRun } from "../runs/agent-run.ts";
import { asyncStorage, type AsyncStorage } from "../runs/async-storage.ts";
import type { CallSettings } from "../runs/call-settings.ts";
import type { CaptureContext } from "../runs/capture-context.ts";
import { currentRun } from "../runs/current-run.ts";
import { stepNumberOf, StepResultReader } from "../runs/step-result.ts";

/** A run with what reads its steps. */
export interface RegisteredRun {
  readonly run: AgentRun;
  readonly results: StepResultReader;
  /** True for `generateObject` and `streamObject`. */
  readonly isObject: boolean;
}

const OPERATION = /^ai\.(generateText|streamText|generateObject|streamObject)$/;

function stepsOf(event: unknown): number {
  const steps = fieldOf(event, "steps");
  return Array.isArray(steps) ? steps.length : Number.NaN;
}

/** What the first event of a call tells of its settings. */
function settingsOf(event: object): CallSettings {
  const { messages, prompt, instructions, system, functionId } = event as CallSettings;
  return {
    messages,
    prompt,
    instructions,
    system,
    model: fieldOf(event, "modelId") ?? fieldOf(fieldOf(event, "model"), "modelId"),
    telemetry: { functionId },
  };
}

/**
 * The runs that integrations for all calls hear of. AI SDK 7 names the call in every event. AI SDK 6 does
 * not: there the run is found by the asynchronous context of its first event, or as the only one that the
 * event fits. Events of several streams at once can often not be told apart.
 */
export class RegisteredRuns {
  readonly #capture: CaptureContext;
  readonly #byCall = new Map<string, RegisteredRun>();
  readonly #nameless = new Set<RegisteredRun>();
  readonly #frames: AsyncStorage<RegisteredRun> | undefined = asyncStorage();

  constructor(capture: CaptureContext) {
    this.#capture = capture;
  }

  get size(): number {
    return this.#byCall.size + this.#nameless.size;
  }

  /** A call begins. */
  begin(event: unknown): RegisteredRun | undefined {
    if (typeof event !== "object" || event === null) return undefined;
    const { operationId, callId } = event as { operationId?: unknown; callId?: unknown };
    const [, named] = OPERATION.exec(String(operationId)) ?? [];
    // AI SDK 6 dispatches only text calls and names no operation.
    if (operationId !== undefined && named === undefined) return undefined;
    const around = currentRun() ?? this.#frames?.getStore()?.run;
    if (around?.trajectoryId !== undefined && !this.#capture.nested) return undefined;
    const run = new AgentRun(this.#capture, {
      operation: named ?? "generateText",
      input: event,
      around,
      signal: fieldOf(event, "abortSignal"),
      context: context.active(),
    });
    const isObject = named?.endsWith("Object") === true;
    const entry = { run, results: new StepResultReader(typeof callId === "string"), isObject };
    this.#keep(entry, callId);
    run.open(settingsOf(event));
    return entry;
  }

  /** The run of a later event of its call; of its last one, it is let go. */
  of(event: unknown, isLast = false): RegisteredRun | undefined {
    const callId = fieldOf(event, "callId");
    if (typeof callId === "string") {
      const entry = this.#byCall.get(callId);
      if (isLast) this.#byCall.delete(callId);
      return entry;
    }
    const entry = this.#nameless.size === 0 ? undefined : this.#byState(event, isLast);
    if (isLast && entry !== undefined) this.#nameless.delete(entry);
    return entry;
  }

  /** Never a guess: with several that fit, the event belongs to none. */
  #byState(event: unknown, isLast: boolean): RegisteredRun | undefined {
    const own = this.#frames?.getStore();
    if (own !== undefined && this.#nameless.has(own)) return own;
    // A stream says that a step ended outside of the context in which it said that it began.
    const number = stepNumberOf(event);
    const fitting = [...this.#nameless].filter(({ run }) =>
      isLast ? run.results === stepsOf(event) : run.openStep === number,
    );
    if (fitting.length === 1) return fitting[0];
    this.#capture.onError("an event could belong to several calls; it was dropped");
    return undefined;
  }

  /** Runs that ended in another way, such as by the idle sweep, are let go here. */
  #keep(entry: RegisteredRun, callId: unknown): void {
    for (const [id, { run }] of this.#byCall) if (run.isClosed) this.#byCall.delete(id);
    for (const other of this.#nameless) if (other.run.isClosed) this.#nameless.delete(other);
    if (typeof callId === "string") this.#byCall.set(callId, entry);
    else {
      this.#nameless.add(entry);
      this.#frames?.enterWith?.(entry);
    }
  }
}
