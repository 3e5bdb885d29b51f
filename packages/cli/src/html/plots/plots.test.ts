import type { Estimate, Interval } from "@agent-step-value/sdk";
import { describe, expect, it } from "vitest";
import { createStepPoints } from "../collect/step-points.ts";
import { tagProblem } from "../well-formed.test-support.ts";
import { crossingPlot } from "./crossing-plot.ts";
import { movementPlot } from "./movement-plot.ts";
import { createPlotMaker } from "./plot-maker.ts";
import { stepTypePlot } from "./step-type-plot.ts";

const estimate = (mean: number, low?: number, high?: number): Estimate => ({
  steps: 10,
  trajectories: 10,
  mean,
  ...(low !== undefined && { interval: { level: 0.95, low, high } as Interval }),
});

const hostile = '</text><script>alert(1)</script>" aria-label="<style>x</style>';

describe("plots", () => {
  it("draw step types twice, once a page width, and nothing of a name but text", async () => {
    const maker = await createPlotMaker();
    const rows = [hostile, "audit\u202E", "plan", ""].map((action) => ({ action, steps: 10 }));
    const types = new Map(rows.map(({ action }, i) => [action, estimate(i - 2, i - 3, i - 1)]));
    const html = String(stepTypePlot(maker, rows, [{ name: "direct", types }]));
    expect(html.match(/<svg /g)).toHaveLength(2);
    expect(tagProblem(html)).toBeUndefined();
    expect(html).not.toMatch(/<script|<style|\u202E/);
    expect(html).toContain("&lt;/text&gt;");
    expect(html).toContain("(empty)");
    // The first three intervals lie left of zero, across it, and right of it.
    expect(html).toContain("var(--neg)");
    expect(html).toContain("var(--ink)");
  });

  it("draw the first channel as filled circles and the second as open triangles", async () => {
    const maker = await createPlotMaker();
    const rows = [{ action: "audit", steps: 100 }];
    const series = [
      { name: "fixed", types: new Map([["audit", estimate(-7.392, -9, -5)]]) },
      { name: "balanced", types: new Map([["audit", estimate(-7.4, -9, -5)]]) },
    ];
    const html = String(stepTypePlot(maker, rows, series));
    expect(html).toContain("−7.392");
    expect(html).toContain("−7.400");
    expect(html).toContain('fill="var(--bg)"');
  });

  it("name every drawing apart", async () => {
    const maker = await createPlotMaker();
    const row = {
      action: "audit",
      damage: { count: 1, eligible: 4, rateOfEligible: 0.25 },
      repair: { count: 0, eligible: 0 },
    };
    const html = String(crossingPlot(maker, [row])) + String(crossingPlot(maker, [row]));
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(ids).toHaveLength(8);
    expect(new Set(ids).size).toBe(8);
    expect(html).toContain(">1/4<");
    expect(html).toContain(">–<");
  });

  it("draw a million steps as a few marks", async () => {
    const columns = createStepPoints();
    for (let i = 0; i < 1_000_000; i++) {
      columns.push({ surprise: i % 15, entropyMovement: (i % 7) / 7, marginGain: (i % 3) - 1, pivot: 0 });
    }
    const maker = await createPlotMaker();
    const html = String(movementPlot(maker, columns.points(), { zeroTolerance: 1e-9, ceiling: 15.2 }));
    expect(html.length).toBeLessThan(300_000);
    expect(html).toContain("ceiling 15.200");
    expect(tagProblem(html)).toBeUndefined();
  });

  it("draw steps without surprise or gain", async () => {
    const columns = createStepPoints();
    columns.push({ surprise: 0, entropyMovement: 0, marginGain: NaN, pivot: 0 });
    const maker = await createPlotMaker();
    const html = String(movementPlot(maker, columns.points(), { zeroTolerance: 1e-9, ceiling: undefined }));
    expect(html).not.toMatch(/NaN|Infinity/);
  });
});
