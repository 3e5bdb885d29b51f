import { compareChannels, summarize, type DiagnosedStep } from "@agent-step-value/sdk";
import { DOMParser } from "linkedom";
import { describe, expect, it } from "vitest";
import { comparisonGates, passComparisons, passReport, reportGates } from "./gates.ts";
import { junitXml } from "./junit.ts";
import { reportMarkdown } from "./markdown.ts";
import { measuredStep } from "./measured-step.test-support.ts";

const HOSTILE = 'x]]>"\u0000\ud800<img src=x onerror=alert(1)> [a](javascript:1) @team | `y`\n# __z__';

/** Six trajectories: `read` gains 1 each, the hostile type loses 2 in the first three and 0 in the others. */
const summary = summarize(
  Array.from({ length: 6 }, (_, i) => [
    measuredStep(i, "read", 1),
    measuredStep(i, HOSTILE, i < 3 ? -2 : 0),
  ]).flat(),
  { resamples: 500 },
);

describe("gates on a report", () => {
  it("compares means, rates, counts and interval ends, whole and by step type", () => {
    const results = passReport(
      reportGates([
        "mean_margin_gain == 0", // (6·1 − 3·2) / 12
        "mean_margin_gain(read) >= 1",
        `damage_rate(${HOSTILE}) <= 0.5`,
        "damage_rate <= 0.2", // 3 of 12
        "mean_margin_gain(read).low >= 1",
        "steps == 12",
      ]),
      summary,
    );
    expect(results.map(({ passed }) => passed)).toEqual([true, true, true, false, true, true]);
    expect(results[3]).toMatchObject({ value: 0.25 });
  });

  it("keeps rates of all steps, of eligible ones, of gains and of losses apart", () => {
    // Ten steps, seven with the target ahead: 4 of those lose it, 1 of the other three wins it.
    const gains: [gain: number, before: number][] = [
      ...Array.from({ length: 4 }, (): [number, number] => [-2, 1]),
      ...Array.from({ length: 3 }, (): [number, number] => [0, 1]),
      [3, -1],
      [0, -1],
      [0, -1],
    ];
    const summarized = summarize(
      gains.map(([gain, before], i) => measuredStep(i, "read", gain, before)),
      { resamples: 0 },
    );
    const rates = {
      damage_rate: 4 / 10,
      damage_rate_of_eligible: 4 / 7,
      repair_rate: 1 / 10,
      repair_rate_of_eligible: 1 / 3,
      positive_rate: 1 / 10,
      negative_rate: 4 / 10,
    };
    for (const [name, value] of Object.entries(rates)) {
      const gates = reportGates([`${name} >= 0`, `${name}(read) >= 0`]);
      expect(passReport(gates, summarized)).toMatchObject([{ value }, { value }]);
    }
  });

  it("fails what is not there: a step type, an interval, a number", () => {
    const short = summarize([measuredStep(0, "read", 1)], { resamples: 500 });
    const gates = reportGates([
      "mean_margin_gain(write) >= 0",
      "mean_margin_gain.low >= -9",
      "mean_layout_spread <= 9",
    ]);
    expect(passReport(gates, short)).toMatchObject([
      { passed: false, absent: "no such part was measured" },
      { passed: false, absent: "it has no interval: fewer than 5 trajectories" },
      { passed: false, absent: "no step has it" },
    ]);
  });

  it("takes the rate of floors over measured steps, whatever flags the others carry", () => {
    const { diagnostics: _, ...unmeasured } = measuredStep(0, "write", 0);
    const steps: DiagnosedStep[] = [
      measuredStep(0, "read", 1),
      { ...measuredStep(1, "read", 1), flags: ["floor"] },
      // One of its states is scored, with a floor; the other is not.
      { ...unmeasured, flags: ["floor", "unscored"] },
      { ...unmeasured, stepId: "again", flags: ["floor", "unscored"] },
    ];
    const gates = reportGates(["floor_rate <= 0.5", "floor_rate < 0.5"]);
    expect(passReport(gates, summarize(steps, { resamples: 0 }))).toMatchObject([
      { passed: true, value: 0.5 },
      { passed: false, value: 0.5 },
    ]);
    const none = summarize([unmeasured], { resamples: 0 });
    expect(passReport(gates, none)[0]).toMatchObject({ passed: false, absent: "no step has it" });
  });

  it("refuses a number that a report does not have, and lists those it has", () => {
    expect(() => reportGates(["signed_effect >= 0"])).toThrow(/no number .*signed_effect.*mean_margin_gain/s);
    expect(() => reportGates(["trajectories(read) >= 0"])).toThrow(/no number/);
    expect(() => reportGates(["constructor >= 0"])).toThrow(/no number/);
  });

  it("writes JUnit XML that a parser reads back, hostile step types and all", () => {
    const results = passReport(
      reportGates([`damage_rate(${HOSTILE}) <= 0.1`, "mean_surprise >= 1"]),
      summary,
    );
    const xml = junitXml("asv report", results, [`said of ${HOSTILE}`]);
    expect(xml).not.toMatch(/[^\P{Cc}\n]|\p{Cs}/u);
    const { documentElement: root } = new DOMParser().parseFromString(xml, "text/xml");
    expect(root.getAttribute("failures")).toBe("1");
    const cases = [...root.querySelectorAll("testcase")];
    expect(cases.map((one) => one.querySelectorAll("failure").length)).toEqual([1, 0]);
    expect(root.querySelectorAll("img")).toHaveLength(0);
    expect(root.querySelector("failure")!.getAttribute("message")).toContain("failed with 0.5");
  });

  it("writes Markdown in which nothing of a run is markup", () => {
    const results = passReport(reportGates([`damage_rate(${HOSTILE}) <= 0.1`]), summary);
    const text = reportMarkdown(
      { title: "ASV", measured: "12 steps", cautions: [HOSTILE] },
      summary,
      results,
    );
    for (const live of ["<img", "](javascript", "@team", "`y`", "\n# ", "__z__"])
      expect(text).not.toContain(live);
    const rows = text.split("\n").filter((line) => line.startsWith("|"));
    for (const row of rows) expect(row.split("|").length).toBeOneOf([5, 8]); // the tables' three and six columns
    expect(text).toContain("**failed**");
  });
});

describe("gates on comparisons", () => {
  const side = (name: string, gains: readonly number[], doubtful = false) => ({
    name,
    steps: gains.map((gain, i) => {
      const step = measuredStep(i, "read", gain);
      return doubtful && i === 0 ? { ...step, flags: ["refusal" as const] } : step;
    }),
  });
  const baseline = side("direct", [1, 1, 2, 0]);
  const one = compareChannels(side("one", [2, 3, 4, 5], true), baseline, { resamples: 0 });
  const other = compareChannels(side("other", [-1, 1, 1]), baseline, { resamples: 0 });

  it("speak of one channel where it is named, and must hold for each where it is not", () => {
    const gates = comparisonGates(["signed_effect(one) > 0", "signed_effect > 0", "signed_effect(none) > 0"]);
    const results = passComparisons(gates, [one, other]);
    // one: 1, 2, 2, 5 above the baseline; other: −2, 0, −1 on the three pairs it has.
    expect(results.map(({ gate, passed, value }) => [gate.text, passed, value])).toEqual([
      ["signed_effect(one) > 0", true, 2.5],
      ["signed_effect > 0 (one)", true, 2.5],
      ["signed_effect > 0 (other)", false, -1],
      ["signed_effect(none) > 0", false, undefined],
    ]);
  });

  it("tell channel from baseline, and all pairs from clean ones", () => {
    const values = {
      mean_margin_gain: 3.5,
      baseline_margin_gain: 1,
      clean_signed_effect: 3, // without the first pair: 2, 2, 5
      clean_absolute_effect: 3,
      sign_disagreement: 0,
      clean_sign_disagreement: 0,
      pairs: 4,
      paired_rate: 1,
    };
    for (const [name, value] of Object.entries(values)) {
      expect(passComparisons(comparisonGates([`${name} >= -9`]), [one])).toMatchObject([{ value }]);
    }
    const shorter = passComparisons(comparisonGates(["paired_rate >= 0", "sign_disagreement >= 0"]), [other]);
    // One of the pairs that moved in both has its signs apart: t0 of three.
    expect(shorter).toMatchObject([{ value: 3 / 4 }, { value: 1 / 3 }]);
  });
});
