import type { CallContent } from "./call-content.ts";
import type { Entry } from "./entry.ts";
import type { SpanNode } from "./span-node.ts";

export type StepKind = "llm" | "tool" | "retrieval" | "other";

/** One call a step made. */
export interface AskedCall {
  readonly tool: string;
  readonly args: string | undefined;
}

/** One step of a run, before its states are written. */
export interface PlannedStep {
  readonly node: SpanNode;
  readonly kind: StepKind;
  /** `action.type`: what reports group by. */
  readonly type: string;
  readonly content: CallContent | undefined;
  /**
   * Who tells of it where no span of its own does: a later model call that was shown its result, or the
   * conversation its run gave.
   */
  readonly told: "span" | "history" | "output";
  /** Agent that took the step, where a run has several. */
  readonly agent: string | undefined;
  /** The call that the step answers, where a model is known to have asked for it. */
  readonly answers: Entry | undefined;
  /** Calls the step made or answered, for its action. */
  readonly calls: AskedCall[];
  /** Entries that went out of the transcript before the step: the host edited the history. */
  readonly removed: Set<Entry>;
  /** Entries that came into it before the step, each after another or at the end. */
  readonly inserted: { readonly after: Entry | undefined; readonly entry: Entry }[];
  /** What the step itself added. */
  readonly added: Entry[];
  /** False where neither its span nor a later history says what it brought. */
  captured: boolean;
}

export function plannedStep(
  fields: Pick<PlannedStep, "node" | "kind" | "type"> & Partial<PlannedStep>,
): PlannedStep {
  return {
    content: undefined,
    told: "span",
    agent: undefined,
    answers: undefined,
    calls: [],
    removed: new Set(),
    inserted: [],
    added: [],
    captured: true,
    ...fields,
  };
}
