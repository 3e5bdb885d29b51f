import type { Summary } from "@agent-step-value/sdk";
import { markup, type SafeHtml } from "../markup/markup.ts";
import { plainNumber, signedNumber } from "../markup/number.ts";

/** Which way the mean step moved belief, as far as the interval lets anyone say. */
export type Direction = "toward" | "away" | "unclear" | "no_interval" | "unknown" | "nothing";

export function directionOf({ counts, marginGain }: Summary): Direction {
  if (counts.measured === 0) return "nothing";
  if (marginGain.mean === undefined) return "unknown";
  if (marginGain.interval === undefined) return "no_interval";
  if (marginGain.interval.low > 0) return "toward";
  return marginGain.interval.high < 0 ? "away" : "unclear";
}

/** The report's headline: what was found, no further than the interval goes. */
export function headline(summary: Summary): SafeHtml {
  const { marginGain, surprise } = summary;
  switch (directionOf(summary)) {
    case "nothing":
      return markup`No step could be measured`;
    case "unknown":
      return markup`Belief moved by ${plainNumber(surprise?.mean)} nats a step; without a target nobody can say whereto`;
    case "no_interval":
      return markup`Mean gain ${signedNumber(marginGain.mean)} nats a step, from too few runs for an interval`;
    case "toward":
      return markup`Steps moved belief toward the target: ${signedNumber(marginGain.mean)} nats on average`;
    case "away":
      return markup`Steps moved belief away from the target: ${signedNumber(marginGain.mean)} nats on average`;
    case "unclear":
      return markup`No clear direction: ${signedNumber(marginGain.mean)} nats a step, and the interval holds zero`;
  }
}
