import type { Entry } from "./entry.ts";
import type { PlannedStep } from "./planned-step.ts";
import type { Thread, ThreadBook } from "./thread.ts";

/** What was done to rebuild a run, for its fidelity sentence. */
export interface PlanCounts {
  /** Model calls that were given a whole history, of all model calls. */
  histories: number;
  models: number;
  /** Results that read as the next model call was given them, where their span says otherwise. */
  seen: number;
  /** Results that only the next model call tells. */
  filled: number;
  /** Tool steps that no span recorded. */
  fromHistory: number;
  /** Calls whose history was no continuation of what came before. */
  edited: number;
}

/** What following a history may read and change. */
export interface PlanState {
  readonly steps: PlannedStep[];
  readonly threads: ThreadBook;
  /** Entries of the transcript by key. */
  readonly known: Map<string, Entry>;
  /** The step that added an entry. */
  readonly owner: Map<Entry, PlannedStep>;
  readonly counts: PlanCounts;
  readonly task: Entry;
  added(step: PlannedStep, thread: Thread | undefined, entry: Entry): void;
}
