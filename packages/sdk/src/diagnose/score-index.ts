import { AsvError, showValue } from "../errors/index.ts";
import {
  isJsonObject,
  type ByCandidate,
  type JsonValue,
  type MappingRow,
  type ProtocolRecord,
  type QualityFlag,
  type ScoreFileRecord,
  type ScoreRecord,
} from "../schema/index.ts";
import { byCandidate, valuesOf } from "./by-candidate.ts";

/** The part of a score record that diagnostics need. */
export type IndexedScore = Pick<ScoreRecord, "scores" | "floored" | "floorBound" | "flags"> & {
  evaluatorKind: string;
  mapping: Pick<MappingRow, "design" | "index">;
};

/** All that is known of one state under one protocol. */
export interface StateScores {
  /** In mapping order. */
  scores: IndexedScore[];
  /** Mappings that were tried and could not be scored. */
  unscored: number[];
  /** Flags of the state's rationale. */
  rationaleFlags: readonly QualityFlag[];
}

/** A protocol that the index holds records of. */
export interface IndexedProtocol {
  protocolId: string;
  /** Name and settings, where the files say them. */
  name?: string;
  protocol?: JsonValue;
  /** B, the label mappings a state is scored under, where the file says it. */
  mappings?: number;
  evaluatorKinds: string[];
  /** States and (state, mapping) pairs with a score. */
  states: number;
  scores: number;
}

export interface ScoreIndex {
  /**
   * Takes any line of a score file. A score that comes again counts once, and one that comes after an
   * unscored line replaces it.
   *
   * @throws AsvError `conflicting_records` when the same state and mapping come with other scores
   */
  add(record: ScoreFileRecord): void;
  /** Protocols seen, in the order of their first record. */
  protocols(): IndexedProtocol[];
  /** Scores of one state in mapping order; empty when there are none. */
  find(
    protocolId: string,
    taskId: string,
    candidateSetSha256: string,
    stateSha256: string,
  ): readonly IndexedScore[];
  /** As {@link ScoreIndex.find}, with what could not be scored and the rationale's flags. */
  lookup(
    protocolId: string,
    taskId: string,
    candidateSetSha256: string,
    stateSha256: string,
  ): StateScores | undefined;
}

/** One stored (state, mapping): candidate ids, flags and names are shared between rows. */
interface Row {
  mapping: number;
  design: MappingRow["design"];
  evaluatorKind: string;
  ids: readonly string[];
  values: readonly number[];
  floored: readonly string[];
  floorBound: number | undefined;
  flags: readonly QualityFlag[];
}

interface Entry {
  rows: Row[];
  unscored: number[];
  rationaleFlags: readonly QualityFlag[];
}

/**
 * Scores by (protocol, task, candidate set, state), in memory.
 *
 * Keeps what diagnostics need and shares what repeats, about 300 bytes a score: prompts, replies and
 * top-logprob lists stay in the file.
 */
export function createScoreIndex(): ScoreIndex {
  const groups = new Map<string, Map<string, Entry>>();
  const protocols = new Map<string, IndexedProtocol>();
  const share = createInterner();

  const group = (record: { protocolId: string; taskId: string; candidateSetSha256: string }) =>
    JSON.stringify([record.protocolId, record.taskId, record.candidateSetSha256]);

  const protocolOf = (protocolId: string): IndexedProtocol => {
    let known = protocols.get(protocolId);
    if (known === undefined) {
      known = { protocolId, evaluatorKinds: [], states: 0, scores: 0 };
      protocols.set(protocolId, known);
    }
    return known;
  };

  const entryOf = (record: {
    protocolId: string;
    taskId: string;
    candidateSetSha256: string;
    stateSha256: string;
  }): Entry => {
    const key = group(record);
    let states = groups.get(key);
    if (states === undefined) groups.set(key, (states = new Map()));
    let entry = states.get(record.stateSha256);
    if (entry === undefined) {
      entry = { rows: [], unscored: [], rationaleFlags: [] };
      states.set(record.stateSha256, entry);
    }
    return entry;
  };

  const addScore = (record: ScoreRecord): void => {
    const protocol = protocolOf(record.protocolId);
    const { rows } = entryOf(record);
    const ids = share(Object.keys(record.scores));
    const row: Row = {
      mapping: record.mapping.index,
      design: record.mapping.design,
      evaluatorKind: record.evaluator.kind,
      ids,
      values: valuesOf(record.scores, ids),
      floored: share(record.floored),
      floorBound: record.floorBound,
      flags: share(record.flags),
    };
    if (!protocol.evaluatorKinds.includes(row.evaluatorKind)) protocol.evaluatorKinds.push(row.evaluatorKind);
    let at = rows.length;
    while (at > 0 && rows[at - 1]!.mapping >= row.mapping) at--;
    const known = rows[at];
    if (known?.mapping === row.mapping) {
      if (!sameScores(known, row)) throw conflict(record);
      rows[at] = row;
      return;
    }
    if (rows.length === 0) protocol.states++;
    protocol.scores++;
    rows.splice(at, 0, row);
  };

  const lookup: ScoreIndex["lookup"] = (protocolId, taskId, candidateSetSha256, stateSha256) => {
    const entry = groups.get(group({ protocolId, taskId, candidateSetSha256 }))?.get(stateSha256);
    if (entry === undefined) return undefined;
    const scored = new Set(entry.rows.map((row) => row.mapping));
    return {
      scores: entry.rows.map(toScore),
      unscored: entry.unscored.filter((mapping) => !scored.has(mapping)),
      rationaleFlags: entry.rationaleFlags,
    };
  };

  return {
    add(record) {
      switch (record.record) {
        case "score":
          addScore(record);
          break;
        case "unscored": {
          protocolOf(record.protocolId);
          const { unscored } = entryOf(record);
          if (!unscored.includes(record.mapping.index)) unscored.push(record.mapping.index);
          break;
        }
        case "rationale":
          protocolOf(record.protocolId);
          entryOf(record).rationaleFlags = share(record.flags);
          break;
        case "protocol":
          Object.assign(protocolOf(record.protocolId), describe(record));
          break;
      }
    },
    protocols: () => [...protocols.values()].map((protocol) => ({ ...protocol })),
    find: (...key) => lookup(...key)?.scores ?? [],
    lookup,
  };
}

function sameScores(a: Row, b: Row): boolean {
  return (
    a.ids.every((id, i) => id === b.ids[i] && a.values[i] === b.values[i]) && a.ids.length === b.ids.length
  );
}

function conflict({ taskId, stateSha256, protocolId, mapping }: ScoreRecord): AsvError {
  return new AsvError(
    "conflicting_records",
    `Two score records of one state differ: task ${showValue(taskId)}, state ${stateSha256.slice(0, 12)}…, ` +
      `protocol ${showValue(protocolId)}, mapping ${mapping.index}. Use the score files of one run, or of its shards.`,
    { taskId, stateSha256, protocolId, mapping: mapping.index },
  );
}

function describe({ name, protocol }: ProtocolRecord): Partial<IndexedProtocol> {
  const design = isJsonObject(protocol) ? protocol.mappings : undefined;
  const count = isJsonObject(design) ? design.count : undefined;
  return { name, protocol, ...(typeof count === "number" ? { mappings: count } : {}) };
}

function toScore(row: Row): IndexedScore {
  const scores: ByCandidate = byCandidate(row.ids, row.values);
  return {
    scores,
    floored: [...row.floored],
    ...(row.floorBound === undefined ? {} : { floorBound: row.floorBound }),
    flags: [...row.flags],
    evaluatorKind: row.evaluatorKind,
    mapping: { design: row.design, index: row.mapping },
  };
}

/** One array for all equal lists of strings: candidate ids and flags repeat on almost every record. */
function createInterner(): <T extends string>(list: readonly T[]) => readonly T[] {
  const known = new Map<string, readonly string[]>();
  return <T extends string>(list: readonly T[]) => {
    const key = JSON.stringify(list);
    let shared = known.get(key) as readonly T[] | undefined;
    if (shared === undefined) known.set(key, (shared = [...list]));
    return shared;
  };
}
