import { AsvError } from "../errors/index.ts";
import { diffProtocols, protocolFromRecord, type Protocol } from "../protocol/index.ts";
import {
  sha256Hex,
  type RationaleOrigin,
  type RationaleRecord,
  type ScoreFileRecord,
} from "../schema/index.ts";

/** A rationale of a finished run, and whose it is. */
export type SwappedRationale = Pick<
  RationaleRecord,
  "text" | "finishReason" | "modelReturned" | "promptSha256"
> & { origin: RationaleOrigin };

/** The place of a state in its trajectory: distinct states in order of first occurrence, from 0. */
export interface StatePosition {
  taskId: string;
  position: number;
  /** Distinct states of the trajectory. */
  positions: number;
}

/** Rationales that the swapped buffer takes from other tasks. */
export interface RationaleSource {
  /** Always the same one for the same place, and never one of the task itself; undefined where there is none. */
  pick(place: StatePosition): SwappedRationale | undefined;
}

/** One task's rationales in state order, as far as there is no gap. */
interface Donor {
  taskId: string;
  /** Place on the ring of donors. */
  point: string;
  rationales: readonly SwappedRationale[];
}

const point = (taskId: string): string => sha256Hex(`asv-swapped-1\n${taskId}`);

/**
 * Makes the rationales of a score file ready for a protocol with the swapped buffer, the control
 * that shows how much any rationale moves the scores, whatever it is about.
 *
 * Each task gets one donor, so that its buffer moves from state to state as a real trajectory's does:
 * on a ring of all tasks ordered by a digest of their ids, the next other task that has a rationale
 * at every position the trajectory has, or else the one with the most. State i is shown the donor's
 * rationale of state i; a state beyond the donor's last has none, and stays unscored.
 *
 * The rationales must have been written under the same protocol but for the kind of the buffer, the
 * label mappings and the normalisation, so that whose rationale it is is all that differs. All of
 * them are held in memory.
 *
 * @param records of a whole run, in file order; score and unscored records tell where a rationale is missing
 * @throws AsvError `incompatible_evaluator` naming the settings that differ, when no protocol fits
 */
export async function rationaleSource(
  records: AsyncIterable<ScoreFileRecord> | Iterable<ScoreFileRecord>,
  protocol: Protocol,
): Promise<RationaleSource> {
  const fitting = new Set<string>();
  const refused: string[] = [];
  const tasks = new Map<string, { taskId: string; states: Map<string, SwappedRationale | undefined> }>();
  for await (const record of records) {
    if (record.record === "protocol") {
      const differing = unwantedDifferences(protocolFromRecord(record), protocol);
      if (differing.length === 0) fitting.add(record.protocolId);
      else refused.push(`${record.name} (${record.protocolId}) differs in ${differing.join(", ")}`);
    } else if (fitting.has(record.protocolId)) {
      const key = JSON.stringify([record.taskId, record.candidateSetSha256]);
      if (!tasks.has(key)) tasks.set(key, { taskId: record.taskId, states: new Map() });
      const { states } = tasks.get(key)!;
      const known = states.get(record.stateSha256);
      states.set(record.stateSha256, known ?? (record.record === "rationale" ? swapped(record) : undefined));
    }
  }
  if (fitting.size === 0) throw noneFits(protocol, refused);
  return ringOf([...tasks.values()].map(({ taskId, states }) => ({ taskId, rationales: unbroken(states) })));
}

function ringOf(donors: readonly Omit<Donor, "point">[]): RationaleSource {
  const ring: Donor[] = donors
    .filter(({ rationales }) => rationales.length > 0)
    .map((donor) => ({ ...donor, point: point(donor.taskId) }))
    .toSorted((a, b) => (a.point < b.point ? -1 : 1));
  let last: { taskId: string; positions: number; donor: Donor | undefined } | undefined;
  const donorOf = (taskId: string, positions: number): Donor | undefined => {
    const own = point(taskId);
    const start = Math.max(
      0,
      ring.findIndex((donor) => donor.point > own),
    );
    let longest: Donor | undefined;
    for (let i = 0; i < ring.length; i++) {
      const donor = ring[(start + i) % ring.length]!;
      if (donor.taskId === taskId) continue;
      if (donor.rationales.length >= positions) return donor;
      if (donor.rationales.length > (longest?.rationales.length ?? 0)) longest = donor;
    }
    return longest;
  };
  return {
    pick: ({ taskId, position, positions }) => {
      // States come trajectory by trajectory, so one remembered answer saves nearly every walk.
      if (last?.taskId !== taskId || last.positions !== positions) {
        last = { taskId, positions, donor: donorOf(taskId, positions) };
      }
      return last.donor?.rationales[position];
    },
  };
}

function swapped(record: RationaleRecord): SwappedRationale {
  const { text, finishReason, modelReturned, promptSha256, taskId, stateSha256, protocolId } = record;
  return {
    text,
    ...(finishReason !== undefined && { finishReason }),
    ...(modelReturned !== undefined && { modelReturned }),
    promptSha256,
    origin: { taskId, stateSha256, protocolId },
  };
}

function unbroken(states: ReadonlyMap<string, SwappedRationale | undefined>): SwappedRationale[] {
  const rationales = [...states.values()];
  const gap = rationales.indexOf(undefined);
  return rationales.slice(0, gap === -1 ? undefined : gap) as SwappedRationale[];
}

const MAY_DIFFER = /^(buffer\.kind|mappings\..*|normalisation\..*)$/;

function unwantedDifferences(from: Protocol, to: Protocol): string[] {
  const kind = from.buffer.kind === "generated" ? [] : ["buffer.kind (it must be generated)"];
  const rest = diffProtocols(from, to).map(({ path }) => path);
  return [...kind, ...rest.filter((path) => !MAY_DIFFER.test(path))];
}

function noneFits(protocol: Protocol, refused: readonly string[]): AsvError {
  const found = refused.length === 0 ? "the file holds no protocol line" : refused.join("; ");
  return new AsvError(
    "incompatible_evaluator",
    `Protocol ${protocol.name} needs rationales written under the same settings with a generated buffer: ${found}.`,
    { protocolId: protocol.id },
  );
}
