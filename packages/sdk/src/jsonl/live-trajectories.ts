import { InvalidRecordError, showValue, type RecordPlace } from "../errors/index.ts";
import {
  checkSteps,
  digestOf,
  encodeLiveRecord,
  type CloseRecord,
  type LiveRecord,
  type OpenRecord,
  type StepRecord,
  type Trajectory,
} from "../schema/index.ts";
import { assembleTrajectory } from "./assemble-trajectory.ts";
import type { Placed } from "./placed.ts";
import type { OnWarning } from "./read-warning.ts";

/** The records of one live trajectory so far. */
interface LiveDraft {
  open?: Placed<OpenRecord>;
  /** By step id. */
  readonly steps: Map<string, Placed<StepRecord>>;
  close?: Placed<CloseRecord>;
  seen: number;
}

/** A trajectory put together from live records, and the place of its first one. */
export interface Assembled {
  readonly trajectory: Trajectory;
  readonly place: RecordPlace;
}

/**
 * Collects live records, in any order and with duplicates, until a trajectory is complete.
 *
 * @param counts how many records of each trajectory there are, where that is known; a trajectory is
 *   let go with its last one instead of being held to the end
 */
export class LiveTrajectories {
  readonly #drafts = new Map<string, LiveDraft>();
  readonly #counts: ReadonlyMap<string, number>;
  readonly #onWarning: OnWarning;

  constructor(counts: ReadonlyMap<string, number>, onWarning: OnWarning) {
    this.#counts = counts;
    this.#onWarning = onWarning;
  }

  /** Takes a record in; gives the trajectory back when this was its last one. */
  add(record: LiveRecord, place: RecordPlace): Assembled | undefined {
    const id = record.trajectoryId;
    let draft = this.#drafts.get(id);
    if (draft === undefined) this.#drafts.set(id, (draft = { steps: new Map(), seen: 0 }));
    draft.seen++;
    if (record.record === "step") {
      const { stepId } = record.step;
      const { steps } = draft;
      if (!this.#isRepeated(steps.get(stepId), record, place)) steps.set(stepId, { record, place });
    } else if (record.record === "open") {
      if (!this.#isRepeated(draft.open, record, place)) draft.open = { record, place };
    } else if (!this.#isRepeated(draft.close, record, place)) draft.close = { record, place };
    if (draft.seen !== this.#counts.get(id)) return undefined;
    this.#drafts.delete(id);
    return assemble(draft);
  }

  /** The trajectories that are still held when the sources have ended. */
  *rest(): Generator<Assembled> {
    for (const [id, draft] of this.#drafts) {
      this.#drafts.delete(id);
      yield assemble(draft);
    }
  }

  #isRepeated(earlier: Placed<LiveRecord> | undefined, record: LiveRecord, place: RecordPlace): boolean {
    if (earlier === undefined) return false;
    const name = record.record === "step" ? `step ${showValue(record.step.stepId)}` : record.record;
    const what = `${name} of trajectory ${showValue(record.trajectoryId)}`;
    const where = `${earlier.place.source}:${earlier.place.line}`;
    if (digestOf(encodeLiveRecord(earlier.record)) !== digestOf(encodeLiveRecord(record))) {
      const problem = `${what} differs from the one at ${where}. Keep one of them.`;
      throw new InvalidRecordError(place, "", problem, { code: "conflicting_records" });
    }
    const message = `${place.source}:${place.line}: ${what} repeats ${where} and counts once.`;
    this.#onWarning({ code: "duplicate", message, ...place });
    return true;
  }
}

function assemble(draft: LiveDraft): Assembled {
  const { open } = draft;
  if (open === undefined) {
    const orphan = [...draft.steps.values(), draft.close].find((held) => held !== undefined)!;
    const problem = `trajectory ${showValue(orphan.record.trajectoryId)} has no open record. Name the file that holds it too.`;
    throw new InvalidRecordError(orphan.place, "trajectory_id", problem);
  }
  const steps = [...draft.steps.values()].sort((a, b) => a.record.step.index - b.record.step.index);
  const trajectory = assembleTrajectory(open.record, steps, draft.close?.record);
  const ids = new Set(trajectory.task.candidateSpace.candidates.map(({ id }) => id));
  checkSteps(
    trajectory.steps,
    ids.size === 0 ? undefined : ids,
    () => "",
    (path, problem, position) => {
      throw new InvalidRecordError(steps[position!]!.place, path, problem);
    },
  );
  return { trajectory, place: open.place };
}
