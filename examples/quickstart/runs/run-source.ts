/** The step types of the invented workflow. */
type StepType =
  "classify" | "plan" | "retrieve" | "extract" | "draft" | "audit" | "revise" | "verify" | "finalize";

/** What a marked step does to the evidence, as its author meant it. */
type MarkKind = "loses-evidence" | "corrupts-evidence" | "repairs";

type SourceBlockKind = "plan" | "message" | "tool_call" | "evidence" | "reasoning" | "answer" | "audit";

/** A block in a run's state; within a run its name is its identity. */
export interface SourceBlock {
  kind: SourceBlockKind;
  name: string;
  text: string;
}

/** A change of state: names to take away, then blocks to write over their namesakes or to append. */
export interface StateEdit {
  drop?: readonly string[];
  put?: readonly SourceBlock[];
}

export interface StepSource extends StateEdit {
  type: StepType;
  /** What was asked of a tool; a step with a query counts as one tool call. */
  query?: string;
  /** The human mark and one sentence that says why. */
  mark?: readonly [kind: MarkKind, note: string];
  /** What the actor changed on its own between the previous step and this one. */
  meanwhile?: StateEdit;
}

/** A concrete answer by its place, or the fourth candidate, which every run has. */
export type AnswerRef = 1 | 2 | 3 | "none";

/** One question with the run that tried to answer it. */
export interface RunSource {
  id: string;
  question: string;
  /** The three concrete answers; none-of-the-above is added to them. */
  candidates: readonly [string, string, string];
  target: AnswerRef;
  /** What the run answered. Absent when the process died first: such a run has no close record. */
  answered?: AnswerRef;
  steps: readonly StepSource[];
}

/** Runs on one subject. */
export interface Topic {
  name: string;
  /** True when the runs were under way at the same time, so that their records alternate. */
  concurrent: boolean;
  runs: readonly RunSource[];
}

const block =
  (kind: SourceBlockKind) =>
  (name: string, text: string): SourceBlock => ({ kind, name, text });

export const plan = block("plan");
export const message = block("message");
export const toolCall = block("tool_call");
export const evidence = block("evidence");
export const reasoning = block("reasoning");
export const answer = block("answer");
export const audit = block("audit");
