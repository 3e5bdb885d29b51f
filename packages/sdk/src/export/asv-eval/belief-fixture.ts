import { InvalidRecordError, type RecordPlace } from "../../errors/index.ts";
import { isJsonObject, type ByCandidate, type JsonObject, type Trajectory } from "../../schema/index.ts";

/** One row of a belief fixture: the beliefs of one step, by (trajectory, step). */
export interface BeliefFixtureRow {
  trajectoryId: string;
  stepId: string;
  beliefBefore: ByCandidate;
  beliefAfter: ByCandidate;
}

/**
 * Reads one line of a belief fixture.
 *
 * @throws InvalidRecordError when an id or a belief is missing, or a probability is not a finite number
 */
export function decodeBeliefFixtureRow(json: unknown, place: RecordPlace): BeliefFixtureRow {
  if (!isJsonObject(json)) throw new InvalidRecordError(place, "", "must be a JSON object.");
  return {
    trajectoryId: text(json, "trajectory_id", place),
    stepId: text(json, "step_id", place),
    beliefBefore: belief(json, "belief_before", place),
    beliefAfter: belief(json, "belief_after", place),
  };
}

/** A trajectory with the fixture's beliefs, and what became of the fixture's rows. */
export interface FixtureResult {
  trajectory: Trajectory;
  /** Steps of the trajectory that the fixture does not name; they keep what they had. */
  missingSteps: string[];
}

/**
 * Puts the beliefs of a fixture in place of those of the steps it names.
 *
 * Raw scores of such a step go: they belong to other beliefs, and a fixture has none. Margins of these
 * steps are therefore null, as in the toolkit.
 *
 * @param rows the fixture's rows; of two for one step the later counts
 */
export function applyBeliefFixture(trajectory: Trajectory, rows: Iterable<BeliefFixtureRow>): FixtureResult {
  const byStep = new Map<string, BeliefFixtureRow>();
  for (const row of rows) if (row.trajectoryId === trajectory.trajectoryId) byStep.set(row.stepId, row);
  const missingSteps: string[] = [];
  const steps = trajectory.steps.map((step) => {
    const row = byStep.get(step.stepId);
    if (row === undefined) {
      missingSteps.push(step.stepId);
      return step;
    }
    const { rawScoresBefore: _, rawScoresAfter: __, ...rest } = step;
    return { ...rest, beliefBefore: row.beliefBefore, beliefAfter: row.beliefAfter };
  });
  return { trajectory: { ...trajectory, steps }, missingSteps };
}

function text(json: JsonObject, key: string, place: RecordPlace): string {
  const value = Object.hasOwn(json, key) ? json[key] : undefined;
  if (typeof value !== "string") throw new InvalidRecordError(place, key, "must be a string.");
  return value;
}

function belief(json: JsonObject, key: string, place: RecordPlace): ByCandidate {
  const value = Object.hasOwn(json, key) ? json[key] : undefined;
  if (!isJsonObject(value)) {
    throw new InvalidRecordError(place, key, "must be an object of candidate id to probability.");
  }
  for (const [id, p] of Object.entries(value)) {
    if (typeof p !== "number" || !Number.isFinite(p)) {
      throw new InvalidRecordError(place, `${key}.${id}`, "must be a finite number.");
    }
  }
  return value as ByCandidate;
}
