import { InvalidArgumentError } from "../errors/index.ts";
import {
  candidateSetSha256,
  stateSha256,
  type QualityFlag,
  type State,
  type Step,
  type StepMetrics,
  type Trajectory,
} from "../schema/index.ts";
import { diagnoseBeliefs } from "./diagnose-beliefs.ts";
import {
  measureScored,
  measureTransition,
  type Measurement,
  type MeasureOptions,
  type StepProbes,
} from "./measure-step.ts";
import { PROVIDED_PROTOCOL, providedFlags, providedStep } from "./provided-scores.ts";
import type { ScoreIndex, StateScores } from "./score-index.ts";
import { stepFlags, stepType, trajectoryFlags } from "./step-circumstances.ts";
import { surpriseProbe } from "./surprise-probe.ts";

export interface DiagnoseOptions extends Omit<MeasureOptions, "targetId"> {
  /** Which protocol of the index to read. May be left out when the index holds exactly one. */
  protocolId?: string | undefined;
  /**
   * With the scores stored in a trajectory, also hash its candidates and states, so that two channels can be
   * checked to have seen the same ones. With an index the digests are needed anyway and always come along.
   * Default false.
   */
  digests?: boolean | undefined;
}

/** Which frozen transition a step is: what must be equal for two channels to be compared on it. */
export interface TransitionIdentity {
  candidateSetSha256?: string;
  stateBeforeSha256?: string;
  stateAfterSha256?: string;
  /** The reviewed target. Offline only, like the margins that depend on it. */
  targetId?: string;
}

/** A line of `steps.jsonl`, with its identity and with the probes that were asked for. None of these is in a file. */
export interface DiagnosedStep extends StepMetrics, StepProbes {
  transition?: TransitionIdentity;
}

/**
 * Diagnostics of every step of a trajectory, joined with its scores by state and candidate-set digest.
 *
 * A step that cannot be measured comes out without `diagnostics` and with the flag that says why:
 * `no_state`, or `unscored` when a state has no score, when mappings are missing on one side (means over
 * unequal sets of mappings are never taken), or when scores do not cover the candidates. Flags of the
 * scores, of the rationale and of the recording travel along.
 *
 * @param trajectory with the target in `task.candidateSpace.goldCandidateId`, if it has one
 * @param scores an index of score records, or `"provided"` for the numbers stored in the trajectory
 * @throws InvalidArgumentError when the protocol is left open and the index does not hold exactly one,
 *   or when a score, belief or target is not usable (see diagnoseTransition)
 */
export function diagnoseTrajectory(
  trajectory: Trajectory,
  scores: ScoreIndex | "provided",
  options: DiagnoseOptions = {},
): DiagnosedStep[] {
  const { task } = trajectory;
  const { protocolId: askedProtocol, digests = false, ...settings } = options;
  const measureOptions: MeasureOptions = { ...settings, targetId: task.candidateSpace.goldCandidateId };
  const candidateIds = task.candidateSpace.candidates.map(({ id }) => id);
  const shared = { trajectoryId: trajectory.trajectoryId, flags: trajectoryFlags(trajectory) };
  if (scores === "provided") {
    const source = {
      ...shared,
      protocolId: PROVIDED_PROTOCOL,
      evaluatorKind: PROVIDED_PROTOCOL,
      identity: identityOf(trajectory, digests ? setDigest(trajectory) : undefined),
      withDigests: digests,
    };
    return trajectory.steps.map((step) =>
      toMetrics(source, step, measureProvided(step, candidateIds, measureOptions)),
    );
  }
  const protocolId = askedProtocol ?? onlyProtocol(scores);
  const protocol = scores.protocols().find((known) => known.protocolId === protocolId);
  const setSha256 = setDigest(trajectory);
  const identity = identityOf(trajectory, setSha256);
  const evaluatorKind = protocol?.evaluatorKinds[0] ?? "unknown";
  const source = { ...shared, protocolId, evaluatorKind, identity, withDigests: true };
  const scoredOptions = { ...measureOptions, mappings: protocol?.mappings };
  const find = (state: State): StateScores | undefined =>
    scores.lookup(protocolId, task.taskId, setSha256, stateSha256(state));
  return trajectory.steps.map((step, i) => {
    const previous = trajectory.steps[i - 1]?.stateAfter;
    const measured: Measurement =
      step.stateBefore === undefined || step.stateAfter === undefined
        ? { flags: ["no_state"] }
        : measureScored(find(step.stateBefore), find(step.stateAfter), candidateIds, scoredOptions);
    const broken = breaksChain(previous, step.stateBefore);
    return toMetrics(source, broken ? { ...step, discontinuity: true } : step, measured);
  });
}

/** Whether a before-state is another than the previous after-state, whatever the record says of it. */
function breaksChain(previous: State | undefined, before: State | undefined): boolean {
  return previous !== undefined && before !== undefined && stateSha256(previous) !== stateSha256(before);
}

function measureProvided(step: Step, candidateIds: readonly string[], options: MeasureOptions): Measurement {
  const flags = providedFlags(step);
  const given = providedStep(step, candidateIds);
  if (given === undefined) return { flags: [...flags, "unscored"] };
  const transition = { before: [given.before], after: [given.after] };
  if (given.kind === "scores") return measureTransition(transition, flags, options);
  const { epsilon, epsilons, targetId } = options;
  const diagnostics = diagnoseBeliefs({ ...transition, ...(epsilon === undefined ? {} : { epsilon }) });
  const { beliefBefore, beliefAfter } = diagnostics;
  const probes =
    epsilons === undefined ? {} : { surpriseProbe: surpriseProbe(beliefBefore, beliefAfter, epsilons) };
  return { flags: targetId === undefined ? [...flags, "no_target"] : flags, diagnostics, probes };
}

/** What all steps of one call share. */
interface StepSource {
  trajectoryId: string;
  protocolId: string;
  /** Of the protocol, for steps that no record speaks of. */
  evaluatorKind: string;
  flags: readonly QualityFlag[];
  /** Without the states. */
  identity: TransitionIdentity;
  /** Whether to hash the states of each step. */
  withDigests: boolean;
}

function setDigest({ task }: Trajectory): string {
  return candidateSetSha256(task.question, task.candidateSpace.candidates);
}

function identityOf({ task }: Trajectory, setSha256: string | undefined): TransitionIdentity {
  const { goldCandidateId } = task.candidateSpace;
  return {
    ...(setSha256 === undefined ? {} : { candidateSetSha256: setSha256 }),
    ...(goldCandidateId === undefined ? {} : { targetId: goldCandidateId }),
  };
}

function withStates(identity: TransitionIdentity, { stateBefore, stateAfter }: Step): TransitionIdentity {
  return {
    ...identity,
    ...(stateBefore === undefined ? {} : { stateBeforeSha256: stateSha256(stateBefore) }),
    ...(stateAfter === undefined ? {} : { stateAfterSha256: stateSha256(stateAfter) }),
  };
}

function toMetrics(source: StepSource, step: Step, measured: Measurement): DiagnosedStep {
  const flags = new Set<QualityFlag>([
    ...measured.flags,
    ...(measured.diagnostics?.flags ?? []),
    ...source.flags,
    ...stepFlags(step),
  ]);
  return {
    trajectoryId: source.trajectoryId,
    stepId: step.stepId,
    index: step.index,
    action: stepType(step),
    protocolId: source.protocolId,
    evaluatorKind: measured.evaluatorKind ?? source.evaluatorKind,
    ...(measured.diagnostics === undefined ? {} : { diagnostics: measured.diagnostics }),
    flags: [...flags],
    ...(step.label === undefined ? {} : { label: step.label }),
    ...measured.probes,
    transition: source.withDigests ? withStates(source.identity, step) : source.identity,
  };
}

function onlyProtocol(scores: ScoreIndex): string {
  const protocols = scores.protocols();
  if (protocols.length === 1) return protocols[0]!.protocolId;
  const found = protocols
    .map(({ protocolId, name }) => `${protocolId}${name ? ` (${name})` : ""}`)
    .join(", ");
  throw new InvalidArgumentError(
    "protocolId",
    protocols.length === 0 ? "named: the scores hold no protocol" : `one of the scored protocols ${found}`,
    undefined,
  );
}
