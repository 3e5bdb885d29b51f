import type { JsonObject } from "../schema/index.ts";
import type { CuePresence } from "./searched-text.ts";

/** Schema version of a line of a cue work list. */
export const CUES_SCHEMA = "asv.cues.v1";

/**
 * What a person decides of a transition.
 *
 * | verdict | the measured loss comes from |
 * | --- | --- |
 * | `compression_loss` | a cue that the state has and the buffer dropped |
 * | `state_damage` | a cue that the step itself removed from the state |
 * | `competitor_introduced` | a cue of the competitor that the buffer brought in |
 * | `unsupported_claim` | something the buffer says and the state does not |
 * | `overstated_absence` | the buffer calling evidence missing that is there |
 * | `no_loss` | nothing of the kind: the step's value is right |
 * | `cannot_tell` | not to be seen from state and buffer |
 */
export const CUE_VERDICTS = [
  "compression_loss",
  "state_damage",
  "competitor_introduced",
  "unsupported_claim",
  "overstated_absence",
  "no_loss",
  "cannot_tell",
] as const;

export type CueVerdict = (typeof CUE_VERDICTS)[number];

/** One word or phrase of a candidate, and where it is. */
export interface Cue {
  text: string;
  of: "target" | "competitor";
  /** The other candidate, or the question, has it too, so finding it says little. */
  shared: boolean;
  stateBefore: CuePresence;
  stateAfter: CuePresence;
  /** Absent where the channel has no buffer. */
  bufferBefore?: CuePresence;
  bufferAfter?: CuePresence;
  extra?: JsonObject;
}

/** A candidate as the list shows it. */
export interface CueCandidate {
  id: string;
  text: string;
  extra?: JsonObject;
}

/**
 * One transition to be judged by a person. It holds the reviewed target: the file is for offline use and
 * must never come near an evaluator.
 */
export interface CueRow {
  /** Digest of everything here but verdict, note and reviewer. */
  rowId: string;
  trajectoryId: string;
  stepId: string;
  action: string;
  /** Protocol whose buffers and beliefs these are. */
  protocolId: string;
  /** G(contrast) − G(baseline), where the row comes from an audit; nats. */
  gap?: number;
  target: CueCandidate;
  /** The other candidate of highest belief after the step. */
  competitor: CueCandidate;
  /** Two or more share that place; the first in the set's order is shown. */
  competitorTied: boolean;
  cues: Cue[];
  /** Cues of either candidate that were too many to list. */
  cuesLeftOut: number;
  bufferBefore?: string;
  bufferAfter?: string;
  verdict?: CueVerdict;
  note?: string;
  reviewer?: string;
  extra?: JsonObject;
}
