import type { CloseOptions, TrajectoryCapture } from "@agent-step-value/sdk/capture";
import type { CaptureContext } from "./capture-context.ts";
import { foldUpdate, writtenChannels } from "./fold-update.ts";
import { END, type GraphShape } from "./graph-shape.ts";
import { GraphTask, sentToolCall } from "./graph-task.ts";
import type { RunEntry, RunOutcome, RunOwner, RunStart, Surroundings } from "./run-event.ts";
import { isAbort, isBubbleUp } from "./run-error.ts";
import { openTrajectory } from "./open-trajectory.ts";
import { beginStep, writeSuperstep, type Fidelity, type StepEnding } from "./step-writer.ts";
import { Superstep, type Moment } from "./superstep.ts";
import { systemText, taskRunEnded, taskRunStarted } from "./task-runs.ts";

/** The shape of a graph that is a node of its own; unknown for one that a node's function calls. */
function innerShape(parent: RunEntry): GraphShape | undefined {
  const { owner, task } = parent;
  return owner instanceof GraphRun && task instanceof GraphTask ? owner.shape?.inside(task.node) : undefined;
}

/**
 * One run of a graph as one trajectory: a step a superstep.
 *
 * A step is written when its after-state is known, which is when the next superstep shows its input.
 * Until then the superstep waits in `#waiting` with its times remembered.
 */
export class GraphRun implements RunOwner {
  readonly rootId: string;
  readonly trajectory: TrajectoryCapture;
  readonly resumed: boolean;
  readonly shape: GraphShape | undefined;
  readonly #context: CaptureContext;
  readonly #thread: string | undefined;
  #waiting: Superstep | undefined;
  #current: Superstep | undefined;
  /** A state told by the `values` stream that no superstep has begun on yet. */
  #told: Moment | undefined;
  #sawPrompt: boolean;

  constructor(context: CaptureContext, start: RunStart, parent: RunEntry | undefined) {
    const around = parent === undefined ? undefined : parent.owner.surroundings(parent);
    const opened = openTrajectory(context, start, around);
    this.rootId = start.id;
    this.trajectory = opened.trajectory;
    this.resumed = opened.resumed;
    this.shape = parent === undefined ? context.shape : innerShape(parent);
    this.#context = context;
    this.#thread = opened.thread;
    this.#sawPrompt = context.actor?.["system_prompt"] !== undefined;
  }

  /** Begins the step that is under way, so that what runs inside it can hang on its span. */
  surroundings(entry: RunEntry): Surroundings {
    const current = this.#current;
    if (current !== undefined) this.#needBefore(current);
    const step = current === undefined ? undefined : beginStep(this.trajectory, current);
    return {
      trajectoryId: this.trajectory.id,
      parentContext: step?.context ?? this.trajectory.context,
      resumed: this.resumed,
      node: entry.task instanceof GraphTask ? entry.task.node : entry.start.name,
    };
  }

  childStarted(entry: RunEntry, parent: RunEntry, start: RunStart): void {
    const { metadata } = start;
    const isNode = parent.start.id === this.rootId && start.kind === "chain";
    if (isNode) {
      const visible = start.name === metadata["langgraph_node"] && !start.tags.includes("langsmith:hidden");
      if (visible) this.#nodeStarted(entry, start);
      return;
    }
    entry.task = parent.task;
    const { task } = parent;
    if (!(task instanceof GraphTask)) return;
    // The function of a conditional edge runs as a chain directly under its node.
    entry.isEdge = start.kind === "chain" && !start.isGraph && parent.start.parentId === this.rootId;
    taskRunStarted(task, entry, start);
    if (start.kind !== "model" || this.#sawPrompt) return;
    task.systemPrompt = systemText(start.inputs);
    this.#sawPrompt = task.systemPrompt !== undefined;
  }

  childEnded(entry: RunEntry, outcome: RunOutcome): void {
    const { task } = entry;
    if (!(task instanceof GraphTask)) return;
    if (entry.start.parentId === this.rootId && entry.start.kind === "chain") this.#nodeEnded(task, outcome);
    else {
      taskRunEnded(task, entry, outcome);
      if (entry.isEdge) this.#branchEnded(entry, outcome);
    }
  }

  /** A state told by the `values` stream: the joint state after the superstep that just ended. */
  valuesTold(values: unknown): void {
    const whole = this.shape?.isWhole(values) ?? true;
    if (!whole || typeof values !== "object" || values === null || "__interrupt__" in values) return;
    const moment = this.#moment(values);
    const current = this.#current;
    if (current !== undefined && current.isDone) {
      this.#needBefore(current);
      this.#write(current, { after: moment.snapshot, fidelity: "values-tap", status: "ok" });
      this.#current = undefined;
    }
    this.#told = moment;
  }

  ended(outcome: RunOutcome): void {
    if (outcome.is === "output") this.#returned(outcome.output);
    else this.#threw(outcome.error);
  }

  abandon(): void {
    this.#giveUp("abandoned", "cancelled", undefined);
    this.#close("abandoned");
  }

  #nodeStarted(entry: RunEntry, start: RunStart): void {
    const { metadata } = start;
    const number = Number(metadata["langgraph_step"]);
    if (this.#current === undefined || number > this.#current.number) {
      if (this.#waiting !== undefined && this.#current !== undefined) this.#needBefore(this.#current);
      this.#waiting = this.#current;
      this.#current = new Superstep(number);
      if (this.#told !== undefined) this.#arrive(this.#current, this.#told, "values-tap");
      this.#told = undefined;
    }
    const current = this.#current;
    const namespace = metadata["langgraph_checkpoint_ns"];
    const id = typeof namespace === "string" ? namespace : start.id;
    let task = current.task(id);
    if (task === undefined) {
      const path = Array.isArray(metadata["langgraph_path"]) ? metadata["langgraph_path"] : [];
      task = new GraphTask(start.name, path, start.inputs);
      current.add(id, task);
    } else task.again();
    entry.task = task;
    if (current.before === undefined && this.#showsWholeState(start)) {
      this.#arrive(current, this.#moment(start.inputs), "next-input");
    }
  }

  #nodeEnded(task: GraphTask, outcome: RunOutcome): void {
    task.endTime = Date.now();
    if (outcome.is === "output") {
      task.output = outcome.output;
      task.state = "done";
    } else if (isBubbleUp(outcome.error)) {
      const { name } = outcome.error as Error;
      task.state = name === "ParentCommand" ? "done" : "interrupted";
    } else {
      task.error = outcome.error;
      task.state = "failed";
    }
    if (this.#current !== undefined) this.#needBefore(this.#current);
  }

  /** Keeps the state an edge was decided on where no node of the next superstep will show it. */
  #branchEnded(entry: RunEntry, outcome: RunOutcome): void {
    const current = this.#current;
    if (outcome.is !== "output" || current === undefined) return;
    const { inputs } = entry.start;
    const { output } = (outcome.output ?? {}) as { output?: unknown };
    const goals: unknown[] = Array.isArray(output) ? output : [output];
    for (const goal of goals) if (typeof goal === "string") current.goals.push(goal);
    const hides = current.size === 1 && goals.some((goal) => this.#hidesState(goal));
    if (hides && this.#isWholeValue(inputs)) current.branchInput = this.#moment(inputs);
  }

  #hidesState(goal: unknown): boolean {
    if (goal === END) return false;
    if (typeof goal === "string") return this.shape?.readsAll(goal) === false;
    if (typeof goal !== "object" || goal === null) return false;
    const { lg_name: name, args } = goal as { lg_name?: unknown; args?: unknown };
    return name === "Send" && sentToolCall(args) === undefined;
  }

  /** True where a node's input is the whole state: it reads every channel, or is createAgent's tool node. */
  #showsWholeState(start: RunStart): boolean {
    const path = start.metadata["langgraph_path"];
    const sent = Array.isArray(path) && path[0] === "__pregel_push";
    if (sent) return sentToolCall(start.inputs) !== undefined;
    return this.shape?.readsAll(start.name) ?? this.#isWholeValue(start.inputs);
  }

  /** Without a known graph: a value that holds every channel the last whole state held. */
  #isWholeValue(value: unknown): boolean {
    if (typeof value !== "object" || value === null) return false;
    if (this.shape !== undefined) return this.shape.isWhole(value);
    const last = this.#current?.before?.live ?? this.#waiting?.before?.live;
    return typeof last !== "object" || last === null || Object.keys(last).every((name) => name in value);
  }

  #moment(live: unknown): Moment {
    return { snapshot: this.#context.snapshot(this.trajectory, live), live };
  }

  /** The state a superstep begins on is the one the superstep before it ended with. */
  #arrive(current: Superstep, moment: Moment, fidelity: Fidelity): void {
    current.before = moment;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting !== undefined) this.#write(waiting, { after: moment.snapshot, fidelity, status: "ok" });
  }

  /** Settles for the best that is known once no task of the superstep can show the whole state in time. */
  #needBefore(current: Superstep): void {
    if (current.before !== undefined) return;
    const waiting = this.#waiting;
    if (waiting?.branchInput !== undefined) this.#arrive(current, waiting.branchInput, "branch-input");
    else if (waiting?.before !== undefined) {
      this.#arrive(current, this.#moment(foldUpdate(waiting.before.live, waiting.outputs)), "update-only");
    } else current.before = this.#moment(current.tasks[0]?.input);
  }

  #write(superstep: Superstep, ending: StepEnding): void {
    writeSuperstep(this.trajectory, superstep, ending, this.#context.parallel);
  }

  #returned(output: unknown): void {
    const current = this.#current;
    if (current === undefined) return this.#close("complete");
    this.#needBefore(current);
    const interrupted = current.isInterrupted;
    const { after, fidelity } = this.#lastState(current, output);
    this.#write(current, { after: after.snapshot, fidelity, status: interrupted ? "interrupted" : "ok" });
    const pauses =
      this.#thread !== undefined && this.shape?.pausesAfter(current.nodes, current.goals) === true;
    this.#close(interrupted || pauses ? "interrupted" : "complete");
  }

  /** The state after the last superstep: what the graph returned, completed by what it leaves out. */
  #lastState(current: Superstep, output: unknown): { after: Moment; fidelity: Fidelity } {
    const before: unknown = current.before?.live;
    const isState = typeof output === "object" && output !== null && !Array.isArray(output);
    const hidden = isState ? this.#hiddenFrom(output, before) : [];
    if (isState && hidden.length === 0) return { after: this.#moment(output), fidelity: "run-output" };
    const outputs = current.isInterrupted ? [] : current.outputs;
    const folded = foldUpdate(before, outputs);
    if (!isState) return { after: this.#moment(folded), fidelity: "update-only" };
    const written = writtenChannels(outputs);
    const whole = { ...(folded as object), ...output };
    const estimated = hidden.some((name) => written.has(name));
    return { after: this.#moment(whole), fidelity: estimated ? "update-only" : "run-output" };
  }

  /** Channels of the state that a graph's result leaves out. */
  #hiddenFrom(output: object, before: unknown): readonly string[] {
    return this.shape?.hiddenFromOutput ?? Object.keys(Object(before)).filter((name) => !(name in output));
  }

  #threw(error: unknown): void {
    if (isBubbleUp(error)) {
      this.#giveUp("aborted", "interrupted", undefined);
      return this.#close((error as Error).name === "ParentCommand" ? "complete" : "interrupted");
    }
    const aborted = isAbort(error);
    this.#giveUp("aborted", aborted ? "cancelled" : "error", aborted ? undefined : error);
    this.#close(aborted ? "aborted" : "error");
  }

  /** The run stops here. What was written before counts; an unfinished superstep changed nothing. */
  #giveUp(fidelity: Fidelity, status: StepEnding["status"], error: unknown): void {
    const current = this.#current;
    if (current === undefined) return;
    this.#needBefore(current);
    if (current.isDone) {
      const after = this.#moment(foldUpdate(current.before?.live, current.outputs)).snapshot;
      this.#write(current, { after, fidelity: "update-only", status: "ok" });
      return;
    }
    for (const task of current.tasks) if (task.state === "running") task.endTime = Date.now();
    this.#write(current, { fidelity, status, error });
  }

  #close(status: CloseOptions["status"]): void {
    this.#current = undefined;
    this.#waiting = undefined;
    this.trajectory.close({ status });
    if (this.#thread === undefined) return;
    this.#context.threads.remember(this.#thread, {
      trajectoryId: this.trajectory.id,
      interrupted: status === "interrupted",
    });
  }
}
