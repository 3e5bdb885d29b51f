import type { PlanCounts } from "./plan-state.ts";
import type { PlannedStep } from "./planned-step.ts";

function some(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

function histories({ models, histories: whole }: PlanCounts): string {
  if (models === 0) return "no model call was recorded, states hold what tools and units of work gave";
  if (whole === models) return "every model call carries its history";
  if (whole === 0)
    return "no model call carries its history, states are put together from what each call gave";
  return `${whole} of ${some(models, "model call carries its", "model calls carry their")} history, the others' states are put together`;
}

/** What the source gave and what was rebuilt, in one sentence. */
export function fidelitySentence(
  convention: string,
  steps: readonly PlannedStep[],
  counts: PlanCounts,
): string {
  const lacking = steps.filter(({ captured }) => !captured).length;
  const output = steps.filter(({ told }) => told === "output").length;
  const parts = [
    `States rebuilt from ${some(steps.length, "step", "steps")} of ${convention} spans`,
    histories(counts),
    ...(counts.seen > 0
      ? [
          `${some(counts.seen, "result reads", "results read")} as the next call was given, not as their span says`,
        ]
      : []),
    ...(counts.filled > 0
      ? [`${some(counts.filled, "result is", "results are")} known from the next call alone`]
      : []),
    ...(counts.fromHistory > 0
      ? [`${some(counts.fromHistory, "tool step is", "tool steps are")} known from the next call alone`]
      : []),
    ...(output > 0 ? [`${some(output, "step is", "steps are")} read from what the run gave`] : []),
    ...(counts.edited > 0 ? [`${some(counts.edited, "history was", "histories were")} no continuation`] : []),
    ...(lacking > 0 ? [`${some(lacking, "step has", "steps have")} no recorded outcome`] : []),
  ];
  return `${parts.join("; ")}.`;
}
