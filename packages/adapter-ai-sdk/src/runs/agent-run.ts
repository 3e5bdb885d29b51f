import type { Context } from "@opentelemetry/api";
import type { StepCapture } from "@agent-step-value/sdk/capture";
import { MediaTexts } from "../projection/media-texts.ts";
import { writeApprovalResume } from "./approval-resume.ts";
import type { CallSettings } from "./call-settings.ts";
import type { CaptureContext } from "./capture-context.ts";
import type { ToolRun } from "./inside-tool.ts";
import type { OpenRun } from "./open-runs.ts";
import { openTrajectory, type RunOrigin } from "./open-trajectory.ts";
import { PartialText } from "./partial-text.ts";
import type { RunStatus } from "./run-end.ts";
import { RunStates } from "./run-states.ts";
import { splitStep } from "./split-step.ts";
import { textLength, type StepResultFacts, type StepStartFacts } from "./step-result.ts";
import { beginStep, cutStep, endStep, type Fidelity, type Thrown } from "./step-writer.ts";

interface OpenStep {
  readonly capture: StepCapture;
  readonly number: number;
  /** Made when the first tool runs; several run in it at once. */
  context?: Context | undefined;
  toolsStarted?: number;
}

/** A trajectory that was opened for the run. */
interface Opened {
  readonly states: RunStates;
  /** The conversation and the system prompt that the call was given. */
  readonly given: readonly unknown[];
  readonly system: string | undefined;
  readonly startTime: number;
}

/**
 * One call as one trajectory: a step a step of the SDK, which is a model call and the tools it called.
 *
 * Hooks come late, twice, in the wrong order, or never: a step that was heard of before is nothing, and
 * the first end is the end.
 */
export class AgentRun implements ToolRun, OpenRun {
  readonly media = new MediaTexts();
  readonly #context: CaptureContext;
  readonly #origin: RunOrigin;
  #opened: Opened | undefined;
  #step: OpenStep | undefined;
  /** Number of the newest step heard of. */
  #newest = -1;
  #results = 0;
  #failed = false;
  #error: Thrown | undefined;
  #closed = false;
  /** What came through a stream of the step under way. */
  readonly partialText = new PartialText();
  /** True while everybody who read the run's streams has left. */
  isLeft = false;

  constructor(context: CaptureContext, origin: RunOrigin) {
    this.#context = context;
    this.#origin = origin;
  }

  get trajectoryId(): string | undefined {
    return this.#opened?.states.trajectory.id;
  }

  /** Number of the step under way. */
  get openStep(): number | undefined {
    return this.#step?.number;
  }

  /** How many steps have given a result. */
  get results(): number {
    return this.#results;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  get toolContext(): Context | undefined {
    const step = this.#step;
    if (step === undefined) return this.#opened?.states.trajectory.context;
    step.context ??= step.capture.context;
    return step.context;
  }

  get callerContext(): Context {
    return this.#origin.context;
  }

  /** The caller's abort signal. */
  get signal(): unknown {
    return this.#origin.signal;
  }

  toolRuns(): void {
    if (this.#step !== undefined) this.#step.toolsStarted ??= Date.now();
  }

  /** Calls our own code; what goes wrong there is never the host's. */
  attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#context.onError("a run could not be followed", error);
    }
  }

  /** The settings of the call are known: the trajectory begins. A second call does nothing. */
  open(settings: CallSettings): void {
    if (this.#opened !== undefined) return;
    const { trajectory, given, system } = openTrajectory(this.#context, this.#origin, settings);
    const states = new RunStates(trajectory, this.#context.states, this.media);
    this.#opened = { states, given, system, startTime: Date.now() };
    this.#context.open.add(this);
  }

  stepStarted(facts: StepStartFacts): void {
    const number = facts.number ?? this.#newest + 1;
    const opened = this.#opened;
    if (opened === undefined || number <= this.#newest) return;
    this.#context.open.touch(this);
    if (this.#step !== undefined) this.#cut("ok", "unknown");
    const { states, given, system, startTime } = opened;
    if (facts.messages === undefined) this.#context.onError("a step started without its messages");
    else if (this.#newest < 0) writeApprovalResume(states, given, facts.messages, startTime);
    this.#newest = number;
    const before = states.reach(facts.messages);
    const changed = facts.system !== system ? facts.system : undefined;
    this.#step = { capture: beginStep(states.trajectory, before, changed), number };
    // A step after the end is recorded as a late one, and must end as well: at once where nobody reads on.
    if (this.#closed && this.isLeft) this.#cut("cancelled", "abandoned");
    else if (this.#closed) this.#context.open.add(this);
  }

  stepEnded(facts: StepResultFacts, fidelity: Fidelity = "step-result"): void {
    const number = facts.number ?? this.#step?.number;
    if (this.#opened === undefined || number === undefined) return;
    if (number > this.#newest) this.stepStarted({ number, messages: undefined, system: undefined });
    const step = this.#step;
    if (step === undefined || step.number !== number) return;
    this.#context.open.touch(this);
    this.#step = undefined;
    this.#results += 1;
    this.#failed = facts.finishReason === "error";
    if (facts.messages === undefined) this.#context.onError("a step ended without its messages");
    this.#write(step, facts, fidelity, this.#opened.states);
    this.#error = undefined;
    this.partialText.stepEnded(textLength(facts.content));
    if (this.#closed) this.#context.open.delete(this);
  }

  /** Something went wrong: in the step under way, which says itself whether it failed, or between steps. */
  noteError(error: unknown): void {
    this.#error ??= { value: error };
  }

  /** The call gave what it was made for: a step that is still under way has ended, unheard. */
  settle(): void {
    this.#cut("ok", "unknown");
    this.end("complete");
  }

  /** The run is over. The first word counts; a run that left a step open has not completed. */
  end(status: RunStatus, error?: unknown): void {
    if (error !== undefined) this.noteError(error);
    if (this.#opened === undefined) return;
    const failed = this.#failed || this.#error !== undefined || this.#step !== undefined;
    const known = status === "complete" && failed ? "error" : status;
    if (this.#step !== undefined) {
      this.#cut(known === "error" ? "error" : "cancelled", known === "abandoned" ? known : "aborted");
    }
    this.#context.open.delete(this);
    if (this.#closed) return;
    this.#closed = true;
    this.#opened.states.trajectory.close({ status: known });
    if (this.#newest < 0 && known === "complete") {
      this.#context.onError("a call ended without a step that was heard of; nothing of it was captured");
    }
  }

  abandon(): void {
    this.attempt(() => this.end("abandoned"));
  }

  #write(step: OpenStep, facts: StepResultFacts, fidelity: Fidelity, states: RunStates): void {
    const { capture, toolsStarted } = step;
    if (!states.trajectory.recording) return capture.end();
    this.#context.approvals.remember(facts, states.trajectory.id);
    if (this.#context.splits && splitStep(capture, facts, states, toolsStarted)) return;
    const base = states.messages;
    const after = states.reach(base && facts.messages && [...base, ...facts.messages]);
    endStep(capture, facts, { after, fidelity, error: this.#error }, this.media);
  }

  /** The step under way stops here. */
  #cut(status: "ok" | "error" | "cancelled", fidelity: "aborted" | "abandoned" | "unknown"): void {
    const step = this.#step;
    this.#step = undefined;
    if (step === undefined) return;
    cutStep(step.capture, status, fidelity, this.partialText.text, this.#error);
    this.partialText.stepEnded(undefined);
  }
}
