import type { ByCandidate, QualityFlag, StepDiagnostics } from "../schema/index.ts";
import { diagnoseTransition, type FlooredLabels } from "./diagnose-transition.ts";
import { covers } from "./provided-scores.ts";
import type { IndexedScore, StateScores } from "./score-index.ts";
import { floorSensitivity, type FloorReading } from "./floor-sensitivity.ts";
import { surpriseProbe, type SurpriseReading } from "./surprise-probe.ts";
import { temperatureProbe, type TemperatureReading } from "./temperature-probe.ts";

export interface MeasureOptions {
  /** The reviewed target; margins are absent without it. */
  targetId?: string | undefined;
  /** Default 1e-6. */
  epsilon?: number;
  /** Default 1e-9 nats; for a remote evaluator, its measured repeat noise. */
  zeroTolerance?: number;
  /** Also read each step at these temperatures. Default none. */
  temperatures?: readonly number[];
  /** Also take surprise with these weights of the uniform part. Default none. */
  epsilons?: readonly number[];
  /** Also take the margin gain of floored steps with these floor scores. Default none. */
  floors?: readonly number[];
}

/** Further readings of one step, each where it was asked for. */
export interface StepProbes {
  temperatureProbe?: TemperatureReading[];
  surpriseProbe?: SurpriseReading[];
  /** On steps with a floored label and a target only: no other step depends on the floor. */
  floorSensitivity?: FloorReading[];
}

/** What one step was measured from; without diagnostics when it could not be measured. */
export interface Measurement {
  flags: readonly QualityFlag[];
  evaluatorKind?: string;
  diagnostics?: StepDiagnostics;
  probes?: StepProbes;
}

/** Both states of a step as one record a mapping, with floored labels where there are any. */
export interface ScoredTransition {
  before: readonly ByCandidate[];
  after: readonly ByCandidate[];
  flooredBefore?: readonly FlooredLabels[];
  flooredAfter?: readonly FlooredLabels[];
}

/** Diagnostics, and the probes that were asked for. */
export function measureTransition(
  transition: ScoredTransition,
  flags: readonly QualityFlag[],
  options: MeasureOptions,
): Measurement {
  const { temperatures, epsilons, floors, ...settings } = options;
  const { targetId, zeroTolerance, epsilon } = settings;
  const diagnostics = diagnoseTransition({
    ...transition,
    ...(targetId === undefined ? {} : { targetId }),
    ...(zeroTolerance === undefined ? {} : { zeroTolerance }),
    ...(epsilon === undefined ? {} : { epsilon }),
  });
  const probes: StepProbes = {};
  if (temperatures !== undefined) {
    probes.temperatureProbe = temperatureProbe(transition.before, transition.after, temperatures);
  }
  if (epsilons !== undefined) {
    probes.surpriseProbe = surpriseProbe(diagnostics.beliefBefore, diagnostics.beliefAfter, epsilons);
  }
  if (floors !== undefined && targetId !== undefined && diagnostics.floorInterval !== undefined) {
    probes.floorSensitivity = floorSensitivity(transition, targetId, floors);
  }
  return { flags, diagnostics, probes };
}

/**
 * Measures a step from the stored scores of its two states.
 *
 * Both states must be scored under the same mappings and over exactly the task's candidates, and no
 * mapping may have been left unscored: a mean over part of the mappings is another quantity.
 *
 * @param options with `mappings`, B of the protocol, where the score file says it
 */
export function measureScored(
  before: StateScores | undefined,
  after: StateScores | undefined,
  candidateIds: readonly string[],
  options: MeasureOptions & { mappings?: number | undefined },
): Measurement {
  const { mappings, ...settings } = options;
  const flags = new Set<QualityFlag>();
  for (const state of [before, after]) {
    for (const score of state?.scores ?? []) for (const flag of score.flags) flags.add(flag);
    for (const flag of state?.rationaleFlags ?? []) flags.add(flag);
  }
  const kind = (before?.scores[0] ?? after?.scores[0])?.evaluatorKind;
  const known = kind === undefined ? {} : { evaluatorKind: kind };
  if (before === undefined || after === undefined || !isComplete(before, after, candidateIds, mappings)) {
    return { flags: [...flags, "unscored"], ...known };
  }
  const transition: ScoredTransition = {
    before: before.scores.map(({ scores }) => scores),
    after: after.scores.map(({ scores }) => scores),
    flooredBefore: before.scores.map(flooredLabels),
    flooredAfter: after.scores.map(flooredLabels),
  };
  return { ...measureTransition(transition, [...flags], settings), ...known };
}

function isComplete(
  before: StateScores,
  after: StateScores,
  candidateIds: readonly string[],
  mappings: number | undefined,
): boolean {
  if (before.unscored.length > 0 || after.unscored.length > 0) return false;
  const isLabelFree = before.scores[0]?.mapping.design === "label-free";
  if (mappings !== undefined && !isLabelFree && before.scores.length !== mappings) return false;
  if (before.scores.length === 0 || before.scores.length !== after.scores.length) return false;
  const sameRows = before.scores.every(({ mapping }, b) => mapping.index === after.scores[b]!.mapping.index);
  return sameRows && [...before.scores, ...after.scores].every(({ scores }) => covers(scores, candidateIds));
}

function flooredLabels(score: IndexedScore): FlooredLabels {
  return { ids: score.floored, bound: score.floorBound };
}
