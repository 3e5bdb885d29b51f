import { stateSha256, type State, type Trajectory } from "@agent-step-value/sdk";
import { readLines } from "./read-files.ts";

/** A step's margin gain, computed here from the score file alone. */
export interface OwnGain {
  trajectoryId: string;
  stepId: string;
  gain: number;
  /** Target in front before and after, mean over the label mappings. */
  marginBefore: number;
  marginAfter: number;
}

/** The parts of a score file's line that a margin is made of. */
export interface ScoreLine {
  record: string;
  task_id: string;
  state_sha256: string;
  mapping: { index: number };
  scores: Record<string, number>;
  label_mass?: number;
}

export function scoreLines(path: string): ScoreLine[] {
  return readLines<ScoreLine>(path).filter(({ record }) => record === "score");
}

/**
 * Margin gains of every step whose two states were scored, with none of the toolkit's arithmetic: for each
 * label mapping the target's log score minus the best other one, after minus before, and the mean of these.
 */
export function ownGains(lines: readonly ScoreLine[], trajectories: readonly Trajectory[]): OwnGain[] {
  const states = new Map<string, ScoreLine[]>();
  for (const line of lines) {
    const key = JSON.stringify([line.task_id, line.state_sha256]);
    states.set(key, [...(states.get(key) ?? []), line]);
  }
  return trajectories.flatMap(({ trajectoryId, task, steps }) => {
    const target = task.candidateSpace.goldCandidateId!;
    const margins = (state: State | undefined) =>
      (state && states.get(JSON.stringify([task.taskId, stateSha256(state)])))
        ?.toSorted((a, b) => a.mapping.index - b.mapping.index)
        .map(({ scores }) => marginOf(scores, target));
    return steps.flatMap(({ stepId, stateBefore, stateAfter }) => {
      const [before, after] = [margins(stateBefore), margins(stateAfter)];
      if (before === undefined || after === undefined || before.length !== after.length) return [];
      const gain = meanOf(after.map((value, b) => value - before[b]!));
      return [{ trajectoryId, stepId, gain, marginBefore: meanOf(before), marginAfter: meanOf(after) }];
    });
  });
}

function marginOf(scores: Readonly<Record<string, number>>, target: string): number {
  const others = Object.entries(scores).filter(([id]) => id !== target);
  return scores[target]! - Math.max(...others.map(([, score]) => score));
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
