import { labelAt } from "../../candidates/index.ts";
import type { Protocol } from "../../protocol/index.ts";
import {
  sha256Hex,
  type Candidate,
  type MappingRow,
  type RationaleRecord,
  type ScoreFileRecord,
  type ScoreRecord,
} from "../../schema/index.ts";
import { farthest, scoresOf, type StateReading } from "./study-scores.ts";
import { rationaleText } from "./study-texts.ts";

/** One state of a study, about to be written down. */
interface StudyState {
  taskId: string;
  candidateSetSha256: string;
  stateSha256: string;
  protocol: Protocol;
  candidates: readonly Candidate[];
  /** Place of the target. */
  target: number;
  rows: readonly MappingRow[];
  /** Its rationale leaks. */
  leaky: boolean;
  /** One label is missing from its replies. */
  floored: boolean;
}

/** The records of one state: its rationale, where the channel writes one, and a score a label mapping. */
export function stateRecords(state: StudyState, reading: StateReading): ScoreFileRecord[] {
  const rationale = rationaleOf(state, reading);
  const scores = state.rows.map((row) => scoreRecord(state, reading, row, rationale));
  return rationale === undefined ? scores : [rationale, ...scores];
}

function rationaleOf(state: StudyState, { top }: StateReading): RationaleRecord | undefined {
  if (state.protocol.buffer.kind === "none") return undefined;
  const { candidates, stateSha256 } = state;
  const ids = candidates.map(({ id }) => id);
  return {
    record: "rationale",
    ...identity(state),
    text: rationaleText(ids, candidates[top]!),
    finishReason: "stop",
    flags: state.leaky ? ["gold_leak"] : [],
    coverage: 1,
    promptSha256: sha256Hex(`rationale ${stateSha256}`),
  };
}

function scoreRecord(
  state: StudyState,
  reading: StateReading,
  mapping: MappingRow,
  rationale: RationaleRecord | undefined,
): ScoreRecord {
  const { candidates, target, floored, stateSha256 } = state;
  const ids = candidates.map(({ id }) => id);
  const scores = scoresOf(reading, ids, target);
  const missing = floored ? [ids[farthest(reading, target, ids.length)]!] : [];
  return {
    record: "score",
    ...identity(state),
    evaluator: { kind: state.protocol.evaluator.kind, model: state.protocol.evaluator.model },
    mapping,
    labelScores: Object.fromEntries(mapping.order.map((id, place) => [labelAt(place), scores[id]!])),
    scores,
    floored: missing,
    ...(floored ? { floorBound: scores[missing[0]!]! } : {}),
    labelMass: 1,
    flags: [...(floored ? (["floor"] as const) : []), ...(rationale?.flags ?? [])],
    promptSha256: sha256Hex(`score ${stateSha256} ${mapping.index}`),
    ...(rationale === undefined ? {} : { rationaleSha256: sha256Hex(rationale.text) }),
  };
}

function identity({ taskId, candidateSetSha256, stateSha256, protocol }: StudyState) {
  return { taskId, candidateSetSha256, stateSha256, protocolId: protocol.id };
}
