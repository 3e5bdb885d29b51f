import type { CaptureReport } from "@agent-step-value/sdk/capture";
import { fieldOf } from "../hooks/alongside.ts";
import { asOurs } from "../hooks/telemetry-hooks.ts";
import { givenMessages, type CallSettings } from "../runs/call-settings.ts";
import type { CaptureContext } from "../runs/capture-context.ts";
import { isInFollowedCall, tellFollowedCalls } from "../runs/followed-call.ts";
import { insideTool } from "../runs/inside-tool.ts";
import { statusOfError } from "../runs/run-end.ts";
import { readStepStart } from "../runs/step-result.ts";
import { asvFlush, rememberCapture } from "../wrap/asv-flush.ts";
import { captureContext } from "../wrap/capture-context.ts";
import type { ASVCaptureOptions } from "../wrap/capture-options.ts";
import { objectFacts } from "../wrap/object-facts.ts";
import { RegisteredRuns, type RegisteredRun } from "./registered-runs.ts";

type Hook = (event: unknown) => void;

/** An integration as `registerTelemetry` of AI SDK 7 and `registerTelemetryIntegration` of 6 take it. */
export interface ASVTelemetry {
  onStart: Hook;
  onStepStart: Hook;
  onStepEnd: Hook;
  onStepFinish: Hook;
  onStepError: Hook;
  onObjectStepEnd: Hook;
  onEnd: Hook;
  onFinish: Hook;
  onAbort: Hook;
  onError: Hook;
  executeTool<T>(options: { callId: string; execute: () => PromiseLike<T> }): PromiseLike<T>;
  /** Closes what is open as `abandoned` and flushes. Never rejects. */
  shutdown(): Promise<Omit<CaptureReport, "otel">>;
}

const NAMES = ["isEnabled", "recordInputs", "recordOutputs"];

/** Hooks of one integration: each finds its run and never throws into the SDK. */
class TelemetryHooks {
  readonly #capture: CaptureContext;
  readonly #runs: RegisteredRuns;

  constructor(capture: CaptureContext) {
    this.#capture = capture;
    this.#runs = new RegisteredRuns(capture);
  }

  start(event: unknown): void {
    if (isInFollowedCall()) return;
    if (NAMES.some((name) => fieldOf(event, name) === false)) {
      return this.#capture.onError("a call was not captured: its telemetry settings forbid it");
    }
    const entry = this.#runs.begin(event);
    if (entry?.isObject !== true) return;
    const messages = givenMessages(Object(event) as CallSettings);
    entry.run.stepStarted({ number: undefined, messages, system: undefined });
  }

  end(event: unknown, status: "complete" | "aborted" | "error"): void {
    const entry = this.#runs.of(event, true);
    if (entry === undefined) return;
    const error = fieldOf(event, "error");
    if (entry.isObject && error !== undefined) entry.run.noteError(error);
    // AI SDK 6 says of an aborted stream that it finished.
    const aborted = fieldOf(entry.run.signal, "aborted") === true;
    const known = status === "error" ? statusOfError(error, entry.run.signal) : aborted ? "aborted" : status;
    entry.run.end(known, status === "error" ? error : undefined);
  }

  /** A hook for an event in the middle of a call. */
  heard(event: unknown, work: (entry: RegisteredRun) => void): void {
    const entry = this.#runs.of(event);
    if (entry !== undefined) work(entry);
  }

  attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#capture.onError("a run could not be followed", error);
    }
  }

  executeTool<T>(event: unknown, execute: () => T): T {
    const entry = this.#runs.of(event);
    return entry === undefined ? execute() : insideTool(entry.run, execute);
  }
}

/**
 * Captures every call in the process, for code whose import of `ai` cannot be wrapped: an integration for
 * AI SDK 7 and 6. Prefer {@link withASVCapture}, which also knows when a stream is left or never read: here
 * such a run is closed as `abandoned` after `maxOpenMs`. Calls that are wrapped as well are captured once.
 *
 * @example
 * registerTelemetry(asvTelemetry({ file: "runs.asv.jsonl" }));
 *
 * @throws InvalidArgumentError for options that cannot be used
 */
export function asvTelemetry(options: ASVCaptureOptions = {}): ASVTelemetry {
  tellFollowedCalls();
  const capture = captureContext(options);
  const hooks = new TelemetryHooks(capture);
  const hook =
    (work: Hook): Hook =>
    (event) =>
      hooks.attempt(() => work(event));
  const heard = (work: (entry: RegisteredRun, event: unknown) => void): Hook =>
    hook((event) => hooks.heard(event, (entry) => work(entry, event)));
  const ended = heard(({ run, results }, event) => run.stepEnded(results.read(event)));
  const telemetry: ASVTelemetry = asOurs({
    onStart: hook((event) => hooks.start(event)),
    onStepStart: heard(({ run }, event) => run.stepStarted(readStepStart(event))),
    onStepEnd: ended,
    // AI SDK 7 tells the same event under both names.
    onStepFinish: hook((event) => typeof fieldOf(event, "callId") === "string" || ended(event)),
    onStepError: hook((event) => hooks.end(event, "error")),
    onObjectStepEnd: heard(({ run }, event) => run.stepEnded(objectFacts(event), "step-result")),
    onEnd: hook((event) => hooks.end(event, "complete")),
    onFinish: hook((event) => typeof fieldOf(event, "callId") === "string" || hooks.end(event, "complete")),
    onAbort: hook((event) => hooks.end(event, "aborted")),
    onError: hook((event) => hooks.end(event, "error")),
    executeTool: <T>(event: { execute: () => PromiseLike<T> }) => hooks.executeTool(event, event.execute),
    shutdown() {
      capture.open.abandonAll();
      return asvFlush(telemetry);
    },
  });
  rememberCapture(telemetry, capture);
  return telemetry;
}
