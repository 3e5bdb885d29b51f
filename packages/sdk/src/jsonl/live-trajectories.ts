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
import { CLOSE_RULES, isShared, joinWriters, OPEN_RULES, type Joined } from "./join-writers.ts";
import { LiveAccounts } from "./live-accounts.ts";
import type { Placed } from "./placed.ts";
import type { OnWarning } from "./read-warning.ts";
import { TWO_RUNS } from "./two-runs.ts";

/** The records of one live trajectory so far. */
interface LiveDraft {
  /** One a writer. */
  readonly opens: LiveAccounts<OpenRecord>;
  /** By step id. */
  readonly steps: Map<string, Placed<StepRecord>>;
  /** One a writer. */
  readonly closes: LiveAccounts<CloseRecord>;
  seen: number;
}

function emptyDraft(): LiveDraft {
  return {
    opens: new LiveAccounts(OPEN_RULES),
    steps: new Map(),
    closes: new LiveAccounts(CLOSE_RULES),
    seen: 0,
  };
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
    if (draft === undefined) this.#drafts.set(id, (draft = emptyDraft()));
    draft.seen++;
    if (record.record === "step") this.#addStep(draft.steps, { record, place });
    else if (record.record === "open") this.#addAccount(draft.opens, { record, place });
    else this.#addAccount(draft.closes, { record, place });
    if (draft.seen !== this.#counts.get(id)) return undefined;
    this.#drafts.delete(id);
    return this.#assemble(draft);
  }

  /** The trajectories that are still held when the sources have ended. */
  *rest(): Generator<Assembled> {
    for (const [id, draft] of this.#drafts) {
      this.#drafts.delete(id);
      yield this.#assemble(draft);
    }
  }

  #addStep(steps: Map<string, Placed<StepRecord>>, step: Placed<StepRecord>): void {
    const { stepId } = step.record.step;
    const earlier = steps.get(stepId);
    if (earlier === undefined) return void steps.set(stepId, step);
    if (digestOf(encodeLiveRecord(earlier.record)) === digestOf(encodeLiveRecord(step.record))) {
      return this.#tellRepeated(step, earlier);
    }
    throw conflict(step.place, `${nameOf(step.record)} differs from the one at ${where(earlier)}.`);
  }

  #addAccount<T extends OpenRecord | CloseRecord>(accounts: LiveAccounts<T>, placed: Placed<T>): void {
    const added = accounts.add(placed);
    if (added.is === "repeated") this.#tellRepeated(placed, added.earlier);
    if (added.is !== "conflict") return;
    const fields = added.fields.slice(0, 8).map(fieldName).join(", ");
    throw conflict(
      placed.place,
      `${nameOf(placed.record)} differs from the one at ${where(added.earlier)} in ${fields}.`,
    );
  }

  #tellRepeated({ record, place }: Placed<LiveRecord>, earlier: Placed<LiveRecord>): void {
    const message = `${place.source}:${place.line}: ${nameOf(record)} repeats ${where(earlier)} and counts once.`;
    this.#onWarning({ code: "duplicate", message, ...place });
  }

  #assemble({ opens, steps: byId, closes }: LiveDraft): Assembled {
    const steps = [...byId.values()].sort((a, b) => a.record.step.index - b.record.step.index);
    const open = opens.chosen();
    if (open === undefined) throw orphaned(steps[0] ?? closes.all[0]!);
    const shared = isShared(opens, closes);
    const joined = shared
      ? joinWriters(open.record, steps, closes)
      : { open: open.record, steps, close: closes.chosen()?.record };
    if (shared) {
      const { source, line } = open.place;
      const writers = Math.max(opens.all.length, closes.all.length);
      const message = `${source}:${line}: trajectory ${showValue(open.record.trajectoryId)} is put together from the records of ${writers} writers.`;
      this.#onWarning({ code: "joined", message, source, line });
    }
    return { trajectory: checked(joined), place: open.place };
  }
}

function where({ place }: Placed<LiveRecord>): string {
  return `${place.source}:${place.line}`;
}

function nameOf(record: LiveRecord): string {
  const name = record.record === "step" ? `step ${showValue(record.step.stepId)}` : record.record;
  return `${name} of trajectory ${showValue(record.trajectoryId)}`;
}

/** As it is where it is one; a file may hold any text for a key. */
function fieldName(name: string): string {
  return /^\w{1,40}$/.test(name) ? name : showValue(name);
}

function conflict(place: RecordPlace, what: string): InvalidRecordError {
  const problem = `${what} ${TWO_RUNS}`;
  return new InvalidRecordError(place, "", problem, { code: "conflicting_records" });
}

function orphaned({ record, place }: Placed<LiveRecord>): InvalidRecordError {
  const problem = `trajectory ${showValue(record.trajectoryId)} has no open record. Name the file that holds it too.`;
  return new InvalidRecordError(place, "trajectory_id", problem);
}

function checked({ open, steps, close }: Joined): Trajectory {
  const trajectory = assembleTrajectory(open, steps, close);
  const ids = new Set(trajectory.task.candidateSpace.candidates.map(({ id }) => id));
  checkSteps(
    trajectory.steps,
    ids.size === 0 ? undefined : ids,
    () => "",
    (path, problem, position) => {
      throw new InvalidRecordError(steps[position!]!.place, path, problem);
    },
  );
  return trajectory;
}
