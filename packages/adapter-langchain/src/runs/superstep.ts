import type { Snapshot, StepCapture } from "@agent-step-value/sdk/capture";
import { GraphTask } from "./graph-task.ts";

/** A state at one moment: what is recorded of it, and the live object an estimate can start from. */
export interface Moment {
  readonly snapshot: Snapshot | undefined;
  readonly live: unknown;
}

function comparePaths(a: readonly unknown[], b: readonly unknown[]): number {
  for (let i = 0; i < Math.min(a.length, b.length, 3); i += 1) {
    const [x, y] = [a[i], b[i]];
    if (x === y) continue;
    if (typeof x === "number" && typeof y === "number") return x - y;
    return String(x) < String(y) ? -1 : 1;
  }
  return a.length - b.length;
}

/** The tasks that a graph runs at one time on one state. */
export class Superstep {
  readonly number: number;
  /** By the id LangGraph gives a task, which stays the same when its node is retried. */
  readonly #tasks = new Map<string, GraphTask>();
  before: Moment | undefined;
  /** The state a conditional edge was decided on, where it shows more than the next node's input does. */
  branchInput: Moment | undefined;
  /** Where its conditional edges lead. */
  readonly goals: string[] = [];
  /** A step begun early because a graph inside it needs its span as parent. */
  begun: StepCapture | undefined;

  constructor(number: number) {
    this.number = number;
  }

  task(id: string): GraphTask | undefined {
    return this.#tasks.get(id);
  }

  add(id: string, task: GraphTask): void {
    this.#tasks.set(id, task);
  }

  /** Tasks in the order in which the state applies their writes. */
  get tasks(): GraphTask[] {
    const tasks = [...this.#tasks.values()];
    return tasks.length === 1 ? tasks : tasks.sort((a, b) => comparePaths(a.path, b.path));
  }

  get nodes(): string[] {
    return this.tasks.map((task) => task.node);
  }

  get size(): number {
    return this.#tasks.size;
  }

  get isInterrupted(): boolean {
    return this.tasks.some((task) => task.state === "interrupted");
  }

  /** True when every task ended well, so that the graph writes what they returned. */
  get isDone(): boolean {
    return this.tasks.every((task) => task.state === "done");
  }

  get startTime(): number {
    return Math.min(...this.tasks.map((task) => task.startTime));
  }

  get endTime(): number {
    return Math.max(...this.tasks.map((task) => task.endTime));
  }

  get outputs(): unknown[] {
    return this.tasks.map((task) => task.output);
  }
}
