import type { CrossingRate } from "@agent-step-value/sdk";
import { markup, type SafeHtml } from "../markup/markup.ts";
import { countText } from "../markup/number.ts";
import type { PlotMaker } from "./plot-maker.ts";
import { rowLabels } from "./row-labels.ts";

/** Damage and repair of one step type. */
export interface CrossingRow {
  action: string;
  damage: CrossingRate;
  repair: CrossingRate;
}

/**
 * Damage to the left, repair to the right, each as the share of the steps at which it could happen.
 * Counts stand at the ends, since a share of few steps says little.
 */
export function crossingPlot(maker: PlotMaker, rows: readonly CrossingRow[]): SafeHtml {
  const bars = rows.flatMap(({ damage, repair }, at) => [
    { row: String(at), share: -(damage.rateOfEligible ?? 0), text: countsOf(damage), side: "damage" },
    { row: String(at), share: repair.rateOfEligible ?? 0, text: countsOf(repair), side: "repair" },
  ]);
  const reach = Math.min(1, bars.reduce((most, { share }) => Math.max(most, Math.abs(share)), 0.1) * 1.02);
  const title = "Damage and repair by step type";
  const description = `For each of ${countText(rows.length)} step types a bar to the left for damage and one to the right for repair, as shares of the steps at which they could happen. The table below holds the numbers.`;
  return maker.draw({ title, description }, (width) => {
    const { Plot } = maker;
    const room = width === "wide" ? 58 : 44;
    const labels = rowLabels(
      rows.map(({ action }) => [action, ""]),
      width,
    );
    return {
      height: 62 + rows.length * 24,
      marginLeft: labels.width + room,
      marginRight: room,
      marginTop: 20,
      marginBottom: 40,
      x: {
        domain: [-reach, reach],
        label: width === "wide" ? "share of the steps at which it could happen" : "share of eligible steps",
        labelAnchor: "center",
        labelArrow: "none",
        ticks: width === "wide" ? 8 : 4,
        tickFormat: (share: number) => `${Math.round(Math.abs(share) * 100)}%`,
      },
      y: {
        domain: rows.map((_, i) => String(i)),
        label: null,
        tickSize: 0,
        tickPadding: room + 4,
        tickFormat: (row: string) => labels.texts[Number(row)]!,
      },
      marks: [
        Plot.gridX({ stroke: "var(--line)", strokeOpacity: 1, ticks: width === "wide" ? 8 : 4 }),
        Plot.barX(bars, {
          x1: 0,
          x2: "share",
          y: "row",
          insetTop: 4,
          insetBottom: 4,
          fill: ({ side }: { side: string }) => (side === "damage" ? "var(--neg)" : "var(--pos)"),
        }),
        Plot.ruleX([0], { stroke: "var(--muted)" }),
        ...(["damage", "repair"] as const).map((side) =>
          Plot.text(
            bars.filter((bar) => bar.side === side),
            {
              x: "share",
              y: "row",
              text: "text",
              dx: side === "damage" ? -5 : 5,
              textAnchor: side === "damage" ? "end" : "start",
              fill: "var(--muted)",
            },
          ),
        ),
        Plot.text(["← damage"], { frameAnchor: "top-left", dy: -16, fill: "var(--neg)", fontWeight: 600 }),
        Plot.text(["repair →"], { frameAnchor: "top-right", dy: -16, fill: "var(--pos)", fontWeight: 600 }),
      ],
    };
  });
}

/** Said where there is nothing to draw. */
export const noCrossings = markup`<p>No step crossed: the target never became or ceased to be the evaluator's first choice.</p>`;

function countsOf({ count, eligible }: CrossingRate): string {
  return eligible === 0 ? "–" : `${countText(count)}/${countText(eligible)}`;
}
