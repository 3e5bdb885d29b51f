import { freezeCandidates, labelMappings, newCandidateSet } from "../../candidates/index.ts";
import { InvalidArgumentError } from "../../errors/index.ts";
import { createRandom, type Random } from "../../math/index.ts";
import { defineProtocol, protocolRecord, protocols, type Protocol } from "../../protocol/index.ts";
import {
  candidateSetSha256,
  stateSha256,
  TRAJECTORY_SCHEMA,
  type Candidate,
  type ScoreFileRecord,
  type Trajectory,
} from "../../schema/index.ts";
import { drawTrajectory } from "./draw-trajectory.ts";
import { studyLaw, STUDY_ACTIONS, type StudyChannel } from "./study-law.ts";
import { stateRecords } from "./state-records.ts";
import type { StateReading } from "./study-scores.ts";
import { studyStates, taskTexts } from "./study-texts.ts";
import { studyTruth, type StudyTruth } from "./study-truth.ts";

/** What {@link syntheticStudy} is told. Everything has a default. */
export interface SyntheticStudyOptions {
  /**
   * How many; default 100. Or the trajectories of an earlier study, to draw their scores anew: texts and states
   * do not depend on the seed, and making them takes most of the time.
   */
  trajectories?: number | readonly Trajectory[];
  /** 32-bit integer. Default 7. */
  seed?: number;
  /** `paper` for the paper's picture, `none` for a study whose every true effect is zero. Default `paper`. */
  effects?: "paper" | "none";
  /** Also the rationale channel over four balanced label mappings. Default false. */
  balanced?: boolean;
}

/** The records of one channel, as a score file holds them: the protocol first. */
export interface SyntheticChannel {
  protocol: Protocol;
  records: ScoreFileRecord[];
}

/** A study with everything that a real one leaves behind, and the truth that a real one does not have. */
export interface SyntheticStudy {
  trajectories: Trajectory[];
  /** `direct`, `rationale-128`, and `rationale-128-balanced` where it was asked for. */
  channels: SyntheticChannel[];
  truth: StudyTruth;
}

/** States whose score has a missing label, one in this many: about 15 of 1,100 steps, as in the paper. */
const FLOORED_ONE_IN = 150;

/** The one trajectory whose rationales leak, all of them. */
const LEAKY = 0;

/**
 * A study of the paper's shape (section 4): trajectories of 11 step types over four candidates, read by a
 * near-one-hot scorer through a direct and a rationale channel, whose true effects are known.
 *
 * Everything is drawn from the seed: the same options give the same study everywhere. Effects do not depend
 * on texts, which are made up.
 *
 * @throws InvalidArgumentError for a number of trajectories that is not a positive integer
 */
export function syntheticStudy(options: SyntheticStudyOptions = {}): SyntheticStudy {
  const { trajectories: given = 100, seed = 7, effects = "paper", balanced = false } = options;
  const trajectories = typeof given === "number" ? newTrajectories(given) : [...given];
  const random = createRandom(seed);
  const law = studyLaw(effects);
  const channels = studyProtocols(balanced).map((protocol): SyntheticChannel => ({
    protocol,
    records: [protocolRecord(protocol)],
  }));
  trajectories.forEach((trajectory, n) => {
    const { candidates, goldCandidateId } = trajectory.task.candidateSpace;
    const target = candidates.findIndex(({ id }) => id === goldCandidateId);
    const drawn = drawTrajectory(law, candidates.length, target, random);
    for (const channel of channels) {
      addRecords(channel, trajectory, target, drawn[drawnFrom(channel.protocol)], n === LEAKY, random);
    }
  });
  return { trajectories, channels, truth: studyTruth(law) };
}

function studyProtocols(balanced: boolean): Protocol[] {
  const evaluator = {
    kind: "scripted",
    model: "synthetic-study-1",
    temperature: 0,
    thinking: false,
    topLogprobs: 20,
  };
  const rationale = { ...protocols.rationale128, evaluator };
  return [
    defineProtocol({ ...protocols.direct, evaluator }),
    defineProtocol(rationale),
    ...(balanced
      ? [
          defineProtocol({
            ...rationale,
            name: "rationale-128-balanced",
            mappings: { design: "balanced", count: 4, seed: 0 },
          }),
        ]
      : []),
  ];
}

/** Both rationale channels read the states alike; only their label mappings differ. */
function drawnFrom({ buffer }: Protocol): StudyChannel {
  return buffer.kind === "none" ? "direct" : "rationale-128";
}

function newTrajectories(count: number): Trajectory[] {
  if (!Number.isInteger(count) || count < 1) {
    throw new InvalidArgumentError("trajectories", "a positive integer", count);
  }
  return Array.from({ length: count }, (_, n) => newTrajectory(n));
}

function newTrajectory(n: number): Trajectory {
  const trajectoryId = `study-${String(n + 1).padStart(3, "0")}`;
  const { question, answers } = taskTexts(n);
  const space = freezeCandidates(
    { ...newCandidateSet("open-qa", { answers, target: n % 3 }), labelSource: "synthetic-study" },
    question,
  );
  const target = space.candidates.find(({ id }) => id === space.goldCandidateId)!;
  const states = studyStates(trajectoryId, question, STUDY_ACTIONS, target);
  return {
    schemaVersion: TRAJECTORY_SCHEMA,
    trajectoryId,
    sourceAdapter: "synthetic-study",
    metadata: {},
    task: {
      taskId: `task-${trajectoryId}`,
      question,
      taskType: "open_qa_candidate_set",
      goldVisibleToEvaluator: false,
      goldUsedOnlyForValidation: true,
      candidateSpace: space,
    },
    steps: STUDY_ACTIONS.map((action, i) => ({
      stepId: `${trajectoryId}-s${String(i + 1).padStart(2, "0")}`,
      index: i,
      action: { type: action },
      observation: {},
      stateBefore: states[i]!,
      stateAfter: states[i + 1]!,
      cost: {},
      qualityFlags: {},
    })),
  };
}

function addRecords(
  { protocol, records }: SyntheticChannel,
  trajectory: Trajectory,
  target: number,
  readings: readonly StateReading[],
  leaky: boolean,
  random: Random,
): void {
  const { taskId, question, candidateSpace } = trajectory.task;
  const candidates: readonly Candidate[] = candidateSpace.candidates;
  const ids = candidates.map(({ id }) => id);
  const subject = {
    taskId,
    candidateSetSha256: candidateSetSha256(question, candidates),
    protocol,
    candidates,
    target,
    rows: labelMappings(ids, protocol.mappings, taskId),
    leaky,
  };
  const states = [trajectory.steps[0]!.stateBefore!, ...trajectory.steps.map((step) => step.stateAfter!)];
  states.forEach((state, i) => {
    const floored = random.below(FLOORED_ONE_IN) === 0;
    records.push(...stateRecords({ ...subject, stateSha256: stateSha256(state), floored }, readings[i]!));
  });
}
