import type { Block, DiagnosedStep } from "@agent-step-value/sdk";
import type { TrajectoryRow } from "../../report/tables.ts";
import type { StateChange } from "./state-difference.ts";

/** One candidate as a report shows it. */
export interface CandidateView {
  id: string;
  text: string;
  isTarget: boolean;
}

/** A human verdict on a step, as its source words it. */
export interface HumanVerdict {
  label: string;
  source?: string;
  note?: string;
}

/** One step of a shown run, with what it did to the state. */
export interface StepView {
  /** 0-based place among the steps of its run; names its anchor. */
  place: number;
  measured: DiagnosedStep;
  /** The same transition in the further channels, in their order; undefined where a channel has none. */
  inOthers: (DiagnosedStep | undefined)[];
  /** What the actor was asked to do beyond the step type: arguments of the action. */
  action?: string;
  verdict?: HumanVerdict;
  /** Absent where a state is missing. */
  change?: StateChange;
  /** What the actor changed between the previous step and this one, where the chain breaks. */
  between?: StateChange;
  /** Digests of the two states: a rationale is found by them. */
  beforeSha256?: string;
  afterSha256?: string;
}

/** One run as a report shows it. Texts are bounded and projected; whole states are not kept. */
export interface RunView {
  /** 0-based place among all runs; names its anchor. */
  number: number;
  trajectoryId: string;
  taskId: string;
  candidateSetSha256: string;
  question: string;
  candidates: CandidateView[];
  status?: string;
  success?: boolean;
  /** Blocks of the state before the first step. */
  initial: readonly Block[];
  initialSha256?: string;
  /** All steps, or the chosen ones of a long run, in order. */
  steps: StepView[];
  /** Over all of its steps. */
  totals: TrajectoryRow;
}

/** A rationale's text by {@link rationaleKey}. */
export type Rationales = ReadonlyMap<string, string>;

/** Identity of a rationale under one protocol. */
export function rationaleKey(taskId: string, candidateSetSha256: string, stateSha256: string): string {
  return JSON.stringify([taskId, candidateSetSha256, stateSha256]);
}
