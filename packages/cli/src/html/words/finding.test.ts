import { summarize, type DiagnosedStep, type Summary } from "@agent-step-value/sdk";
import { describe, expect, it } from "vitest";
import { directionOf, headline } from "./finding.ts";

const none = summarize([] as DiagnosedStep[]);

function gaining(mean: number | undefined, low?: number, high?: number): Summary {
  return {
    ...none,
    counts: { ...none.counts, measured: 10 },
    surprise: { mean: 2.693, max: 15.194 },
    marginGain: {
      ...none.marginGain,
      ...(mean !== undefined && { mean }),
      ...(low !== undefined && high !== undefined && { interval: { level: 0.95, low, high } }),
    },
  };
}

const words = (summary: Summary) => String(headline(summary)).replace(/<[^>]*>/g, "");

describe("headline", () => {
  it("goes no further than the interval", () => {
    expect(words(gaining(-2.335, -3.395, -1.272))).toBe(
      "Steps moved belief away from the target: −2.335 nats on average",
    );
    expect(words(gaining(4.033, 3, 5))).toContain("toward the target: +4.033");
    expect(words(gaining(0.2, -0.1, 0.5))).toContain("No clear direction: +0.200");
    expect(words(gaining(0.2, 0, 0.5))).toContain("No clear direction");
    expect(words(gaining(0.2))).toContain("too few runs for an interval");
  });

  it("claims no direction without a target, and nothing without a step", () => {
    expect(words(gaining(undefined))).toContain("Belief moved by 2.693 nats a step");
    expect(directionOf(none)).toBe("nothing");
    expect(words(none)).toBe("No step could be measured");
  });
});
