import type { Entry } from "./entry.ts";
import { holdingTools } from "./holding-tools.ts";
import type { PlannedStep } from "./planned-step.ts";
import { rankedStretches } from "./ranked-stretches.ts";

/**
 * The steps with those that answer side by side calls of one tool in the order of the calls: a state shows calls and
 * results without ids, so that of two results of one tool the order alone tells which is whose. Only steps between
 * which no model was called change places, and none that ran an agent. What was not paired with a call stays.
 */
export function stepsInCallOrder(steps: readonly PlannedStep[]): PlannedStep[] {
  const ranks = new Map<Entry, number>();
  for (const { added } of steps) {
    for (const entry of added) if (entry.is === "call") ranks.set(entry, ranks.size);
  }
  const spans = steps.filter(({ told }) => told === "span").map(({ node }) => node);
  const holding = holdingTools(spans);
  return rankedStretches(
    steps,
    ({ kind, inserted, removed }) =>
      (kind === "tool" || kind === "retrieval") && inserted.length === 0 && removed.size === 0,
    ({ kind, answers, node, told }) => {
      const rank = answers === undefined ? undefined : ranks.get(answers);
      const ranAgent = told === "span" && (node.holdsCalls || holding.has(node));
      if (kind !== "tool" || rank === undefined || ranAgent) return undefined;
      return { group: answers!.name ?? "", rank };
    },
  );
}
