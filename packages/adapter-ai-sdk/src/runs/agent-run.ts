import type { Context } from "@opentelemetry/api";
import type { StepCapture, TrajectoryCapture } from "@agent-step-value/sdk/capture";
import { ConversationReader } from "../projection/conversation-reader.ts";
import { MediaTexts } from "../projection/media-texts.ts";
import { approvalResults, writeApprovalResume } from "./approval-resume.ts";
import type { CallSettings } from "./call-settings.ts";
import type { CaptureContext } from "./capture-context.ts";
import type { ToolRun } from "./inside-tool.ts";
import type { OpenRun } from "./open-runs.ts";
import { openTrajectory, type RunOrigin } from "./open-trajectory.ts";
import type { RunStatus } from "./run-end.ts";
import type { ReadState } from "./state-reader.ts";
import { contentParts } from "./step-action.ts";
import type { StepResultFacts, StepStartFacts } from "./step-result.ts";
import { beginStep, cutStep, endStep, type Fidelity, type Thrown } from "./step-writer.ts";

interface OpenStep {
  readonly capture: StepCapture;
  readonly number: number;
  /** Made when the first tool runs; several run in it at once. */
  context?: Context | undefined;
}

/**
 * One call as one trajectory: a step a step of the SDK, which is a model call and the tools it called.
 *
 * Hooks come late, twice, in the wrong order, or never: a step that was heard of before is nothing, and
 * the first end is the end.
 */
export class AgentRun implements ToolRun, OpenRun {
  readonly media = new MediaTexts();
  readonly #conversation = new ConversationReader(this.media);
  readonly #context: CaptureContext;
  readonly #origin: RunOrigin;
  #trajectory: TrajectoryCapture | undefined;
  /** The conversation the call was given, and the one after the newest event; undefined while not known. */
  #given: readonly unknown[] = [];
  #messages: readonly unknown[] | undefined;
  #state: ReadState | undefined;
  #system: string | undefined;
  #step: OpenStep | undefined;
  /** Number of the newest step heard of. */
  #newest = -1;
  #results = 0;
  #failed = false;
  #error: Thrown | undefined;
  #closed = false;
  #startTime = 0;
  /** Text of the step under way that came through a stream. */
  partialText = "";

  constructor(context: CaptureContext, origin: RunOrigin) {
    this.#context = context;
    this.#origin = origin;
  }

  get trajectoryId(): string | undefined {
    return this.#trajectory?.id;
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
    if (step === undefined) return this.#trajectory?.context;
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
    if (this.#trajectory !== undefined) return;
    const opened = openTrajectory(this.#context, this.#origin, settings);
    this.#trajectory = opened.trajectory;
    this.#given = opened.given;
    this.#system = opened.system;
    this.#startTime = Date.now();
    this.#context.open.add(this);
  }

  stepStarted(facts: StepStartFacts): void {
    const number = facts.number ?? this.#newest + 1;
    if (this.#trajectory === undefined || number <= this.#newest) return;
    this.#context.open.touch(this);
    if (this.#step !== undefined) this.#cut("ok", "unknown");
    if (this.#newest < 0 && facts.messages !== undefined) this.#resumeApproved(facts.messages);
    this.#newest = number;
    if (facts.messages === undefined) this.#context.onError("a step started without its messages");
    this.#reach(facts.messages);
    this.partialText = "";
    const changed = facts.system !== this.#system ? facts.system : undefined;
    const capture = beginStep(this.#trajectory, this.#state?.snapshot, changed);
    this.#step = { capture, number };
    // A step after the end is recorded as a late one, and must end as well.
    if (this.#closed) this.#context.open.add(this);
  }

  stepEnded(facts: StepResultFacts, fidelity: Fidelity = "step-result"): void {
    const number = facts.number ?? this.#step?.number;
    if (this.#trajectory === undefined || number === undefined) return;
    if (number > this.#newest) this.stepStarted({ number, messages: undefined, system: undefined });
    const step = this.#step;
    if (step === undefined || step.number !== number) return;
    this.#context.open.touch(this);
    this.#step = undefined;
    this.#results += 1;
    const base = this.#messages;
    this.#reach(base && facts.messages && [...base, ...facts.messages]);
    if (facts.messages === undefined) this.#context.onError("a step ended without its messages");
    this.#failed = facts.finishReason === "error";
    this.#write(step.capture, facts, fidelity);
    this.#error = undefined;
    this.partialText = "";
    if (this.#closed) this.#context.open.delete(this);
  }

  /** Something went wrong: in the step under way, which says itself whether it failed, or between steps. */
  noteError(error: unknown): void {
    this.#error ??= { value: error };
  }

  /** The run is over. The first word counts; a run that left a step open has not completed. */
  end(status: RunStatus, error?: unknown): void {
    if (error !== undefined) this.noteError(error);
    if (this.#trajectory === undefined) return;
    const failed = this.#failed || this.#error !== undefined || this.#step !== undefined;
    const known = status === "complete" && failed ? "error" : status;
    if (this.#step !== undefined) {
      this.#cut(known === "error" ? "error" : "cancelled", known === "abandoned" ? known : "aborted");
    }
    this.#context.open.delete(this);
    if (this.#closed) return;
    this.#closed = true;
    this.#trajectory.close({ status: known });
    if (this.#newest < 0 && known === "complete") {
      this.#context.onError("a call ended without a step that was heard of; nothing of it was captured");
    }
  }

  abandon(): void {
    this.attempt(() => this.end("abandoned"));
  }

  /** The conversation as it is now becomes the newest state. */
  #reach(messages: readonly unknown[] | undefined): void {
    this.#messages = messages;
    this.#state =
      messages === undefined || this.#trajectory === undefined
        ? undefined
        : this.#context.states.read(this.#trajectory, messages, this.#conversation, this.#state);
  }

  #write(step: StepCapture, facts: StepResultFacts, fidelity: Fidelity): void {
    if (this.#trajectory?.recording !== true) return step.end();
    const parts = contentParts(facts.content);
    if (parts.requests.length > 0) {
      this.#context.approvals.remember(facts.messages ?? [], this.#trajectory.id);
    }
    const outcome = { after: this.#state?.snapshot, fidelity, error: this.#error };
    endStep(step, facts, parts, outcome, this.media);
  }

  /** The step under way stops here. */
  #cut(status: "ok" | "error" | "cancelled", fidelity: "aborted" | "abandoned" | "unknown"): void {
    const step = this.#step;
    this.#step = undefined;
    if (step !== undefined) cutStep(step.capture, status, fidelity, this.partialText, this.#error);
  }

  /** Calls whose approval the call was given have been made before its first step: a transition of its own. */
  #resumeApproved(messages: readonly unknown[]): void {
    const results = approvalResults(this.#given, messages);
    if (results === undefined || this.#trajectory === undefined) return;
    this.#reach(this.#given);
    const before = this.#state?.snapshot;
    this.#reach(messages);
    const states = { before, after: this.#state?.snapshot, startTime: this.#startTime };
    writeApprovalResume(this.#trajectory, this.#given, results, states, this.media);
  }
}
