import type { TrajectoryCapture } from "@agent-step-value/sdk/capture";

/** What a run is, in LangChain's words. */
export type RunKind = "chain" | "model" | "tool" | "retriever";

/** A run that starts, as one of LangChain's start callbacks tells it. */
export interface RunStart {
  readonly kind: RunKind;
  readonly id: string;
  readonly parentId: string | undefined;
  /** The run's own name, or that of the class that runs. */
  readonly name: string;
  /** Inputs by reference, and therefore only good for reading at the start: the run may change them. */
  readonly inputs: unknown;
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  /** True for a run of a whole LangGraph graph. */
  readonly isGraph: boolean;
  readonly toolCallId?: string | undefined;
}

/** How a run ended. */
export type RunOutcome =
  | { readonly is: "output"; readonly output: unknown; readonly inputs?: unknown }
  | { readonly is: "error"; readonly error: unknown };

/** A run that is under way and belongs to a trajectory. */
export interface RunEntry {
  readonly start: RunStart;
  readonly owner: RunOwner;
  /** The task of the trajectory inside which the run happens; undefined for the trajectory's own run. */
  task: object | undefined;
  /** What its task remembers of it, where it is the run of a tool. */
  tool?: { failed: boolean };
  /** True for the function of a conditional edge, whose input is the state the edge is decided on. */
  isEdge: boolean;
}

/** What a run that starts inside another captured run hangs on. */
export interface Surroundings {
  readonly trajectoryId: string;
  /** Context of the step it runs in. */
  readonly parentContext: NonNullable<TrajectoryCapture["context"]> | undefined;
  readonly resumed: boolean;
  readonly node: string;
}

/** What turns the runs of one trajectory into steps. Its methods may throw; the tracker contains that. */
export interface RunOwner {
  /** The run whose start opened this trajectory. */
  readonly rootId: string;
  /** What a trajectory hangs on that opens inside one of its runs. */
  surroundings(entry: RunEntry): Surroundings | undefined;
  childStarted(entry: RunEntry, parent: RunEntry, start: RunStart): void;
  childEnded(entry: RunEntry, outcome: RunOutcome): void;
  /** The trajectory's own run ended. */
  ended(outcome: RunOutcome, entry: RunEntry): void;
  /** Nothing more will be heard of it. */
  abandon(): void;
}
