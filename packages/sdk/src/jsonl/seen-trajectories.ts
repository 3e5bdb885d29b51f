import { InvalidRecordError, showValue, type RecordPlace } from "../errors/index.ts";
import {
  canonicalJson,
  encodeTrajectory,
  stateSha256,
  type State,
  type Trajectory,
} from "../schema/index.ts";
import { fastSha256 } from "./fast-sha256.ts";
import type { OnWarning } from "./read-warning.ts";

interface Seen {
  readonly place: RecordPlace;
  /** SHA-256 of the line as it stood; absent for a trajectory put together from live records. */
  readonly line: string | undefined;
  /** Digest of what the trajectory says, however it was written. Worked out when first needed. */
  content: string | undefined;
}

/**
 * Remembers which trajectories were read, so that one that comes twice counts once.
 *
 * @param reread reads a whole trajectory again from its place; undefined where that is impossible
 */
export class SeenTrajectories {
  readonly #seen = new Map<string, Seen>();
  readonly #reread: (place: RecordPlace) => Promise<Trajectory | undefined>;
  readonly #onWarning: OnWarning;

  constructor(reread: (place: RecordPlace) => Promise<Trajectory | undefined>, onWarning: OnWarning) {
    this.#reread = reread;
    this.#onWarning = onWarning;
  }

  /**
   * True for a trajectory that was not there before; false for a repeated one.
   *
   * @param line SHA-256 of a whole trajectory's line; none for one put together from live records
   * @throws {InvalidRecordError} `conflicting_records` where the same id was there with other content
   */
  isNew(trajectory: Trajectory, place: RecordPlace, line?: string): true | Promise<false> {
    const earlier = this.#seen.get(trajectory.trajectoryId);
    if (earlier === undefined) {
      const content = line === undefined ? contentDigest(trajectory) : undefined;
      this.#seen.set(trajectory.trajectoryId, { place, line, content });
      return true;
    }
    return this.#fold(trajectory, place, line, earlier);
  }

  async #fold(
    trajectory: Trajectory,
    place: RecordPlace,
    line: string | undefined,
    earlier: Seen,
  ): Promise<false> {
    const name = `trajectory ${showValue(trajectory.trajectoryId)}`;
    const where = `${earlier.place.source}:${earlier.place.line}`;
    if (line === undefined || line !== earlier.line) {
      if (earlier.content === undefined) {
        const again = await this.#reread(earlier.place);
        earlier.content = again && contentDigest(again);
      }
      if (earlier.content !== contentDigest(trajectory)) {
        const problem = `${name} differs from the one at ${where}. Keep one of them, or give one another id.`;
        throw new InvalidRecordError(place, "trajectory_id", problem, { code: "conflicting_records" });
      }
    }
    const message = `${place.source}:${place.line}: ${name} repeats ${where} and counts once.`;
    this.#onWarning({ code: "duplicate", message, ...place });
    return false;
  }
}

/**
 * Digest of what a trajectory says, whatever the order of keys: the same for live records and the
 * line they were packed into. States go in by their own digests, which live records bring along.
 */
function contentDigest(trajectory: Trajectory): string {
  const digest = (state: State | undefined): { sha256: string } | undefined =>
    state && { sha256: stateSha256(state, fastSha256) };
  const steps = trajectory.steps.map((step) => {
    const { stateBefore, stateAfter, ...rest } = step;
    const before = digest(stateBefore);
    const after = digest(stateAfter);
    return { ...rest, ...(before && { stateBefore: before }), ...(after && { stateAfter: after }) };
  });
  return fastSha256(canonicalJson(encodeTrajectory({ ...trajectory, steps })));
}
