import { summarize, type DiagnosedStep } from "@agent-step-value/sdk";
import { DOMParser } from "linkedom";
import { describe, expect, it } from "vitest";
import { passReport, reportGates } from "./gates.ts";
import { junitXml } from "./junit.ts";
import { reportMarkdown } from "./markdown.ts";

const HOSTILE = 'x]]>"\u0000\ud800<img src=x onerror=alert(1)> [a](javascript:1) @team | `y`\n# __z__';

function step(trajectory: number, action: string, marginGain: number): DiagnosedStep {
  return {
    trajectoryId: `t${trajectory}`,
    stepId: `${action}-${trajectory}`,
    index: 0,
    action,
    protocolId: "rho-0",
    evaluatorKind: "scripted",
    flags: [],
    diagnostics: {
      beliefBefore: { a: 0.5, b: 0.5 },
      beliefAfter: { a: 0.5, b: 0.5 },
      entropyBefore: 0.5,
      entropyAfter: 0.5,
      entropyMovement: 0,
      surprise: 1,
      marginBefore: 1,
      marginAfter: 1 + marginGain,
      marginGain,
      damage: 1 + marginGain <= 0,
      repair: false,
      flags: [],
    },
  };
}

/** Six trajectories: `read` gains 1 each, the hostile type loses 2 in the first three and 0 in the others. */
const summary = summarize(
  Array.from({ length: 6 }, (_, i) => [step(i, "read", 1), step(i, HOSTILE, i < 3 ? -2 : 0)]).flat(),
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

  it("fails what is not there: a step type, an interval, a number", () => {
    const short = summarize([step(0, "read", 1)], { resamples: 500 });
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
    const { diagnostics: _, ...unmeasured } = step(0, "write", 0);
    const steps: DiagnosedStep[] = [
      step(0, "read", 1),
      { ...step(1, "read", 1), flags: ["floor"] },
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
