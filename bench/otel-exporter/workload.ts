import { createHash } from "node:crypto";
import { ROOT_CONTEXT, trace, type Attributes, type Tracer } from "@opentelemetry/api";

/** Steps of a run. */
export const STEPS_A_RUN = 10;
/** Distinct runs that are gone through in turn, so that no string is the one of the step before. */
const RUNS = 40;

/** A state of about 1.6 KB as the recorder puts it on spans, and as a host has it. */
export interface BenchState {
  readonly live: object;
  readonly text: string;
  readonly sha256: string;
}

/** States 0 to 10 of every run: the after-state of a step is the before-state of the next. */
export const benchStates: readonly (readonly BenchState[])[] = Array.from({ length: RUNS }, (_, run) =>
  Array.from({ length: STEPS_A_RUN + 1 }, (__, step) => stateOf(run, step)),
);

function stateOf(run: number, step: number): BenchState {
  const live = {
    blocks: [
      { kind: "task", text: "Does the drug lower the risk of a second event within a year?" },
      ...Array.from({ length: 6 }, (_, k) => ({
        kind: "evidence",
        name: `abstract-${run}-${k}`,
        text: `In cohort ${run * 10 + k} the outcome was seen less often than in controls. `.repeat(3),
      })),
      { kind: "answer", text: `draft ${step}: probably, as ${step} of the abstracts say so` },
    ],
  };
  const text = JSON.stringify(live);
  return { live, text, sha256: createHash("sha256").update(text).digest("hex") };
}

export type Chain = "chained" | "unchained";

/**
 * Spans of one run with the attributes that the recorder writes.
 *
 * @param chain `unchained`: every before-state is another than the after-state before it
 */
export function spansOfRun(tracer: Tracer, number: number, chain: Chain): void {
  const id = `0193a1c0-0000-7000-8000-${String(number).padStart(12, "0")}`;
  const states = benchStates[number % RUNS]!;
  const other = benchStates[(number + 1) % RUNS]!;
  const root = tracer.startSpan("asv.trajectory", {
    attributes: {
      "asv.schema.version": 1,
      "asv.trajectory.id": id,
      "asv.task.id": "q",
      "asv.task.question": "Does the drug lower the risk of a second event within a year?",
      "asv.redaction.policy": "default/phi-1",
    },
  });
  const parent = trace.setSpan(ROOT_CONTEXT, root);
  for (let i = 0; i < STEPS_A_RUN; i++) {
    const before = (chain === "chained" ? states : other)[i]!;
    const after = states[i + 1]!;
    const attributes: Attributes = {
      "asv.trajectory.id": id,
      "asv.step.id": `${i}-ab12`,
      "asv.step.index": i,
      "asv.step.action": "retrieve",
      "asv.step.concurrent": false,
      "asv.step.kind": "tool",
      "asv.state.before.sha256": before.sha256,
      "asv.state.before.length": before.text.length,
      "asv.state.before": before.text,
    };
    const span = tracer.startSpan("asv.step", { attributes }, parent);
    span.setAttributes({
      "asv.step.commit_index": i,
      "asv.step.status": "ok",
      "asv.state.fidelity": "next-input",
      "asv.state.after.sha256": after.sha256,
      "asv.state.after.length": after.text.length,
      "asv.state.after": after.text,
    });
    span.setAttribute("asv.state.carrier", "inline");
    span.end();
  }
  root.setAttributes({
    "asv.trajectory.status": "complete",
    "asv.trajectory.step_count": STEPS_A_RUN,
    "asv.redaction.count": 0,
  });
  root.end();
}
