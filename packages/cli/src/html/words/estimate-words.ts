import type { Estimate } from "@agent-step-value/sdk";
import { plural } from "../markup/foreign.ts";
import { markup, type SafeHtml } from "../markup/markup.ts";
import { intervalNumbers, signedNumber } from "../markup/number.ts";

/** The interval of an estimate, or in words why there is none. */
export function intervalOf(
  estimate: Pick<Estimate, "interval" | "intervalAbsent" | "trajectories">,
  number: (value: number) => SafeHtml = signedNumber,
): SafeHtml {
  const { interval } = estimate;
  if (interval === undefined) return markup`<span class="none">${absence(estimate)}</span>`;
  const numbers = intervalNumbers(interval, number);
  return interval.degenerate ? markup`${numbers} <span class="none">(all runs agree)</span>` : numbers;
}

function absence({
  intervalAbsent,
  trajectories,
}: Pick<Estimate, "intervalAbsent" | "trajectories">): string {
  switch (intervalAbsent) {
    case "too_few_trajectories":
      return `no interval from ${plural(trajectories, "run")}`;
    case "not_requested":
      return "no interval asked for";
    default:
      return "no values";
  }
}
