import type { Estimate } from "@agent-step-value/sdk";
import { markup, type HtmlValue, type SafeHtml } from "../markup/markup.ts";
import { countText, signedText } from "../markup/number.ts";
import type { PlotMaker } from "./plot-maker.ts";
import { rowLabels } from "./row-labels.ts";

/** A row of the figure: a step type and how many of its steps have a gain. */
export interface StepTypeRow {
  action: string;
  steps: number;
}

/** Step types of one channel. */
export interface StepTypeSeries {
  name: string;
  /** Mean margin gain with its interval by step type. */
  types: ReadonlyMap<string, Estimate>;
}

interface Point {
  row: string;
  mean: number;
  low: number | undefined;
  high: number | undefined;
  colour: string;
}

/** Distance of a series from its row's middle, where two stand in one row, px. */
const OFFSET = 7;

/**
 * The paper's Figure 2: mean margin gain by step type with intervals; the first channel as filled
 * circles, the second as open triangles.
 *
 * @param rows from top to bottom
 * @param series one or two channels
 */
export function stepTypePlot(
  maker: PlotMaker,
  rows: readonly StepTypeRow[],
  series: readonly StepTypeSeries[],
): SafeHtml {
  const { Plot } = maker;
  const points = series.map(({ types }) => pointsOf(rows, types));
  const paired = series.length > 1;
  const offset = (at: number) => (paired ? (at === 0 ? -OFFSET : OFFSET) : 0);
  const title = "Mean margin gain by step type";
  const description = `${countText(rows.length)} step types from top to bottom in the order of their mean, each a point with its interval. The table below holds the numbers.`;
  return maker.draw({ title, description }, (width) => {
    const ticks = width === "wide" ? 8 : 4;
    const labels = rowLabels(
      rows.map(({ action, steps }) => [action, ` (${countText(steps)})`]),
      width,
    );
    return {
      height: 52 + rows.length * (paired ? 38 : 27),
      marginLeft: labels.width,
      marginRight: width === "wide" ? 76 : 14,
      marginTop: 8,
      marginBottom: 44,
      x: { label: "mean margin gain, nats", labelAnchor: "center", labelArrow: "none", ticks, nice: true },
      y: {
        domain: rows.map((_, i) => String(i)),
        label: null,
        tickSize: 0,
        tickFormat: (row: string) => labels.texts[Number(row)]!,
      },
      marks: [
        Plot.gridX({ stroke: "var(--line)", strokeOpacity: 1, ticks }),
        Plot.ruleX([0], { stroke: "var(--muted)" }),
        ...points.flatMap((own, at) => seriesMarks(maker, own, offset(at), at === 0)),
        ...(width === "wide" ? points.map((own, at) => valueColumn(maker, own, offset(at))) : []),
      ],
    };
  });
}

function seriesMarks({ Plot }: PlotMaker, points: readonly Point[], dy: number, filled: boolean) {
  const ranges = points.filter(({ low }) => low !== undefined);
  return [
    Plot.ruleY(ranges, { x1: "low", x2: "high", y: "row", stroke: "colour", strokeWidth: 2, dy }),
    Plot.dot(points, {
      x: "mean",
      y: "row",
      dy,
      r: filled ? 4.5 : 5,
      symbol: filled ? "circle" : "triangle",
      stroke: "colour",
      strokeWidth: 1.75,
      fill: filled ? "colour" : "var(--bg)",
    }),
  ];
}

/** The means in numbers, at the right edge of a wide drawing. */
function valueColumn({ Plot }: PlotMaker, points: readonly Point[], dy: number) {
  return Plot.text(points, {
    y: "row",
    dy,
    text: ({ mean }: Point) => signedText(mean),
    frameAnchor: "right",
    dx: 66,
    fill: "colour",
    fontSize: 11,
    textAnchor: "end",
  });
}

/** What the marks of {@link stepTypePlot} mean. */
export function stepTypeLegend([first, second]: readonly HtmlValue[]): SafeHtml {
  const other =
    second !== undefined &&
    markup`<span class="key"><svg class="glyph" viewBox="0 0 20 12" aria-hidden="true"><path d="M1 6H19" class="g-line"/><path d="M10 1.5L15 10H5Z" class="g-open"/></svg>${second}</span>`;
  return markup`<p class="legend"><span class="key"><svg class="glyph" viewBox="0 0 20 12" aria-hidden="true"><path d="M1 6H19" class="g-line"/><circle cx="10" cy="6" r="4" class="g-filled"/></svg>${first}</span>
${other}
<span class="key-note">Bars: 95 % trajectory bootstrap; <span class="pos">blue</span> and <span class="neg">orange</span>
where they are clear of zero</span></p>`;
}

function pointsOf(rows: readonly StepTypeRow[], types: ReadonlyMap<string, Estimate>): Point[] {
  return rows.flatMap(({ action }, row) => {
    const estimate = types.get(action);
    if (estimate?.mean === undefined) return [];
    const { mean, interval } = estimate;
    const { low, high } = interval ?? {};
    return [{ row: String(row), mean, low, high, colour: colourOf(low, high) }];
  });
}

function colourOf(low: number | undefined, high: number | undefined): string {
  if (low !== undefined && low > 0) return "var(--pos)";
  return high !== undefined && high < 0 ? "var(--neg)" : "var(--ink)";
}
