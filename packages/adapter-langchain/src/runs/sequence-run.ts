import type { Snapshot, TrajectoryCapture } from "@agent-step-value/sdk/capture";
import type { CaptureContext } from "./capture-context.ts";
import { generatedMessages, GraphTask } from "./graph-task.ts";
import { openTrajectory } from "./open-trajectory.ts";
import { isAbort, isBubbleUp } from "./run-error.ts";
import type { RunEntry, RunOutcome, RunOwner, RunStart, Surroundings } from "./run-event.ts";
import { superstepCost, superstepKind, superstepObservation } from "./superstep-action.ts";
import { taskRunEnded, taskRunStarted } from "./task-runs.ts";

const SEQUENCE_TAG = /^seq:step:(\d{1,6})$/;

function placeIn(tags: readonly string[]): number | undefined {
  for (const tag of tags) {
    const place = SEQUENCE_TAG.exec(tag)?.[1];
    if (place !== undefined) return Number(place);
  }
  return undefined;
}

/** LangChain wraps a value that is no object before a handler sees it. */
function unwrapped(value: unknown, name: "input" | "output"): unknown {
  if (typeof value !== "object" || value === null) return value;
  const keys = Object.keys(value);
  return keys.length === 1 && keys[0] === name ? (value as Record<string, unknown>)[name] : value;
}

/** What a run gave: for a model its message, which is what flows on. */
function flowing(entry: RunEntry, output: unknown): unknown {
  if (entry.start.kind === "model") return generatedMessages(output)[0] ?? "";
  return unwrapped(output, "output");
}

/**
 * One run of a Runnable as one trajectory. The state is the value that flows through it: each member
 * of a sequence is a step from the value it is given to the value it gives; a Runnable of any other
 * kind is one step.
 */
export class SequenceRun implements RunOwner {
  readonly rootId: string;
  readonly #trajectory: TrajectoryCapture;
  readonly #context: CaptureContext;
  readonly #root: GraphTask;
  readonly #resumed: boolean;
  /** The value that flows; read when it came to be. */
  #state: Snapshot | undefined;
  #running = new Map<number, GraphTask>();
  #steps = 0;

  constructor(context: CaptureContext, start: RunStart) {
    const { trajectory, resumed } = openTrajectory(context, start, undefined);
    this.rootId = start.id;
    this.#trajectory = trajectory;
    this.#resumed = resumed;
    this.#context = context;
    this.#root = new GraphTask(start.name, [], undefined);
    if (start.kind !== "chain") this.#root.runStarted(start.kind, start.name);
    this.#state = this.#snapshot(unwrapped(start.inputs, "input"));
  }

  surroundings(entry: RunEntry): Surroundings {
    return {
      trajectoryId: this.#trajectory.id,
      parentContext: this.#trajectory.context,
      resumed: this.#resumed,
      node: entry.start.name,
    };
  }

  childStarted(entry: RunEntry, parent: RunEntry, start: RunStart): void {
    const place = parent.start.id === this.rootId ? placeIn(start.tags) : undefined;
    if (place === undefined) {
      const task = parent.task instanceof GraphTask ? parent.task : this.#root;
      entry.task = task;
      taskRunStarted(task, entry, start);
      return;
    }
    const task = this.#running.get(place) ?? new GraphTask(start.name, [place], undefined);
    if (this.#running.has(place)) task.again();
    this.#running.set(place, task);
    entry.task = task;
    taskRunStarted(task, entry, start);
  }

  childEnded(entry: RunEntry, outcome: RunOutcome): void {
    const { task } = entry;
    if (!(task instanceof GraphTask)) return;
    taskRunEnded(task, entry, outcome);
    const place = placeIn(entry.start.tags);
    if (entry.start.parentId !== this.rootId || place === undefined) return;
    task.endTime = Date.now();
    if (outcome.is === "error") {
      task.error = outcome.error;
      task.state = "failed";
      return;
    }
    task.state = "done";
    this.#running.delete(place);
    this.#write(task, this.#snapshot(flowing(entry, outcome.output)));
  }

  ended(outcome: RunOutcome, entry: RunEntry): void {
    if (outcome.is === "error") return this.#threw(outcome.error);
    if (this.#steps === 0) {
      const output = flowing(entry, outcome.output);
      if (entry.start.kind !== "chain") taskRunEnded(this.#root, entry, outcome);
      this.#root.endTime = Date.now();
      this.#write(this.#root, this.#snapshot(output));
    }
    this.#trajectory.close({ status: "complete" });
  }

  abandon(): void {
    this.#unfinished("cancelled", "abandoned", undefined);
    this.#trajectory.close({ status: "abandoned" });
  }

  #threw(error: unknown): void {
    if (isBubbleUp(error)) {
      this.#unfinished("interrupted", "aborted", undefined);
      return this.#trajectory.close({ status: "interrupted" });
    }
    const aborted = isAbort(error);
    this.#unfinished(aborted ? "cancelled" : "error", "aborted", aborted ? undefined : error);
    this.#trajectory.close({ status: aborted ? "aborted" : "error" });
  }

  #unfinished(status: "cancelled" | "error" | "interrupted", fidelity: string, error: unknown): void {
    const open = [...this.#running].sort(([a], [b]) => a - b).map(([, task]) => task);
    const [task] = this.#steps === 0 && open.length === 0 ? [this.#root] : open;
    if (task === undefined) return;
    task.endTime = Date.now();
    this.#step(task, { after: this.#state, status, fidelity, ...(error !== undefined && { error }) });
  }

  #snapshot(value: unknown): Snapshot | undefined {
    return this.#context.snapshot(this.#trajectory, value);
  }

  #write(task: GraphTask, after: Snapshot | undefined): void {
    this.#step(task, { after, status: "ok", fidelity: "run-output" });
    this.#state = after;
  }

  #step(task: GraphTask, ending: Parameters<ReturnType<TrajectoryCapture["step"]>["end"]>[0]): void {
    this.#steps += 1;
    const kind = superstepKind([task]);
    const step = this.#trajectory.step({
      action: { type: kind === "llm" ? "model" : task.node },
      kind,
      before: this.#state,
      startTime: task.startTime,
    });
    const observation = superstepObservation([task]);
    step.end({
      cost: superstepCost([task]),
      endTime: task.endTime,
      ...(observation !== undefined && { observation }),
      ...(task.retries > 0 && { attempts: task.retries + 1 }),
      ...ending,
    });
  }
}
