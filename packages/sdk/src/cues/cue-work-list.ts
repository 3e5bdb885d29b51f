import type { DiagnosedStep } from "../diagnose/index.ts";
import { sliceBlocks, stateBlocks, type Slice } from "../project/index.ts";
import type { Candidate, State, Trajectory } from "../schema/index.ts";
import { candidateCues } from "./candidate-cues.ts";
import type { Cue, CueRow } from "./cue-row.ts";
import { cueRowId } from "./cue-row-id.ts";
import { nearestCompetitor } from "./nearest-competitor.ts";
import { searchedText, type SearchedText } from "./searched-text.ts";

/** A transition for the list. */
export interface CueInput {
  trajectory: Trajectory;
  /** The step as the channel in question measured it; its beliefs name the competitor. */
  step: DiagnosedStep;
  /** What the channel wrote before scoring each state; absent for a channel without a buffer. */
  buffers?: { before?: string | undefined; after?: string | undefined };
  /** G(contrast) − G(baseline), for the reader. */
  gap?: number;
}

/** Why a transition is not on the list. */
export interface SkippedCueStep {
  trajectoryId: string;
  stepId: string;
  reason: "no_such_step" | "no_target" | "no_state" | "unscored";
}

export interface CueWorkList {
  rows: CueRow[];
  /** Transitions that could not be listed, each with its reason. */
  skipped: SkippedCueStep[];
}

/**
 * The cue-retention work list (paper section 5.4): which words and phrases of the target and of its nearest
 * competitor stand in the before-state, the after-state and the buffers, for a person to judge.
 *
 * Finding a word is no verdict. The task block is not searched: a question is no evidence for an answer.
 * The list holds the target and is for offline use only.
 *
 * @param slice the part of the states that the channel's evaluator was shown. Default `full`
 */
export function cueWorkList(inputs: Iterable<CueInput>, slice: Slice = "full"): CueWorkList {
  const rows: CueRow[] = [];
  const skipped: SkippedCueStep[] = [];
  for (const input of inputs) {
    const { trajectoryId, stepId } = input.step;
    const row = cueRow(input, slice);
    if (typeof row === "string") skipped.push({ trajectoryId, stepId, reason: row });
    else rows.push(row);
  }
  return { rows, skipped };
}

function cueRow(input: CueInput, slice: Slice): CueRow | SkippedCueStep["reason"] {
  const { trajectory, step, buffers = {}, gap } = input;
  const { question, candidateSpace } = trajectory.task;
  const { candidates, goldCandidateId } = candidateSpace;
  const recorded = trajectory.steps.find(({ stepId }) => stepId === step.stepId);
  if (recorded === undefined) return "no_such_step";
  const target = candidates.find(({ id }) => id === goldCandidateId);
  if (target === undefined) return "no_target";
  if (recorded.stateBefore === undefined || recorded.stateAfter === undefined) return "no_state";
  if (step.diagnostics === undefined) return "unscored";
  const nearest = nearestCompetitor(step.diagnostics.beliefAfter, candidates, target.id);
  if (nearest === undefined) return "unscored";
  const places = {
    stateBefore: searchedState(recorded.stateBefore, slice),
    stateAfter: searchedState(recorded.stateAfter, slice),
    ...(buffers.before === undefined ? {} : { bufferBefore: searchedText([buffers.before]) }),
    ...(buffers.after === undefined ? {} : { bufferAfter: searchedText([buffers.after]) }),
  };
  const ofTarget = cuesOf(target, "target", [question, nearest.competitor.text], places);
  const ofCompetitor = cuesOf(nearest.competitor, "competitor", [question, target.text], places);
  const row: Omit<CueRow, "rowId"> = {
    trajectoryId: step.trajectoryId,
    stepId: step.stepId,
    action: step.action,
    protocolId: step.protocolId,
    ...(gap === undefined ? {} : { gap }),
    target: { id: target.id, text: target.text },
    competitor: { id: nearest.competitor.id, text: nearest.competitor.text },
    competitorTied: nearest.tied,
    cues: [...ofTarget.cues, ...ofCompetitor.cues],
    cuesLeftOut: ofTarget.leftOut + ofCompetitor.leftOut,
    ...(buffers.before === undefined ? {} : { bufferBefore: buffers.before }),
    ...(buffers.after === undefined ? {} : { bufferAfter: buffers.after }),
  };
  return { rowId: cueRowId(row), ...row };
}

function searchedState(state: State, slice: Slice): SearchedText {
  const blocks = sliceBlocks(stateBlocks(state), slice).filter(({ kind }) => kind !== "task");
  return searchedText(blocks.map(({ text }) => text));
}

type Places = Partial<Record<"stateBefore" | "stateAfter" | "bufferBefore" | "bufferAfter", SearchedText>>;

function cuesOf(candidate: Candidate, of: Cue["of"], others: readonly string[], places: Places) {
  const { cues, leftOut } = candidateCues(candidate.text);
  const elsewhere = searchedText(others);
  return {
    leftOut,
    cues: cues.map((words): Cue => {
      const at = (place: keyof Places) => {
        const found = places[place]?.find(words);
        return found === undefined ? {} : { [place]: found };
      };
      return {
        text: words.join(" "),
        of,
        shared: elsewhere.find(words) !== "absent",
        stateBefore: places.stateBefore!.find(words),
        stateAfter: places.stateAfter!.find(words),
        ...at("bufferBefore"),
        ...at("bufferAfter"),
      };
    }),
  };
}
