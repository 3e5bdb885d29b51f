import {
  candidateSetSha256,
  protocolRecord,
  stateSha256,
  type Protocol,
  type QualityFlag,
  type ScoreFileRecord,
  type Trajectory,
} from "@agent-step-value/sdk";
import type { ScoredChannel } from "./measured-report.ts";

/** What a made-up evaluator says of the i-th state of a run. */
export interface Script {
  /** ℓ of the candidate at a place of the set. */
  score: (state: number, candidate: number) => number;
  /** Its rationale; none without. */
  rationale?: (state: number) => string;
  /** Flags of every score; none without. */
  flags?: readonly QualityFlag[];
}

/** Score records of runs by a script, as a score file holds them. */
export function scriptedChannel(
  protocol: Protocol,
  trajectories: readonly Trajectory[],
  { score, rationale, flags = [] }: Script,
): ScoredChannel {
  const records: ScoreFileRecord[] = [protocolRecord(protocol)];
  for (const { task, steps } of trajectories) {
    const { candidates } = task.candidateSpace;
    const states = [steps[0]!.stateBefore!, ...steps.map(({ stateAfter }) => stateAfter!)];
    for (const [i, state] of states.entries()) {
      const identity = {
        taskId: task.taskId,
        candidateSetSha256: candidateSetSha256(task.question, candidates),
        stateSha256: stateSha256(state),
        protocolId: protocol.id,
      };
      if (rationale !== undefined) {
        const promptSha256 = identity.stateSha256;
        records.push({
          record: "rationale",
          ...identity,
          text: rationale(i),
          flags: [],
          coverage: 1,
          promptSha256,
        });
      }
      records.push({
        record: "score",
        ...identity,
        evaluator: { kind: protocol.evaluator.kind, model: protocol.evaluator.model },
        mapping: { design: "fixed", index: 0, order: candidates.map(({ id }) => id) },
        scores: Object.fromEntries(candidates.map(({ id }, at) => [id, score(i, at)])),
        floored: [],
        flags: [...flags],
      });
    }
  }
  return { protocol, records };
}
