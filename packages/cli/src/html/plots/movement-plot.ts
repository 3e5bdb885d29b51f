import type { StepPoints } from "../collect/step-points.ts";
import { markup, type SafeHtml } from "../markup/markup.ts";
import { countText } from "../markup/number.ts";
import type { PlotMaker, PlotWidth } from "./plot-maker.ts";

type Sign = "toward" | "away" | "still" | "unknown";

interface Cell {
  sign: Sign;
  count: number;
  surprise: number;
  entropyMovement: number;
  /** Where steps of both directions share a cell, their marks stand side by side: -1 away, 1 toward. */
  side: -1 | 0 | 1;
}

/** Cells along each axis: steps that fall into one cell are one mark, so a plot of a million steps is small. */
const CELLS = 48;
/** Entropy movement at the edge of the figure at least, nats: smaller movement is none to the eye. */
const LEAST_REACH = 0.1;
const MARKS: Readonly<Record<Sign, { symbol: "triangle" | "circle"; fill: string }>> = {
  toward: { symbol: "triangle", fill: "var(--pos)" },
  away: { symbol: "triangle", fill: "var(--neg)" },
  still: { symbol: "circle", fill: "var(--still)" },
  unknown: { symbol: "circle", fill: "var(--still)" },
};

/**
 * Surprise against entropy movement, all steps. Marks are larger where more steps fall together; their
 * shape and colour say which way the target's margin went.
 *
 * @param ceiling largest surprise possible, where all tasks share it
 */
export function movementPlot(
  maker: PlotMaker,
  points: StepPoints,
  { zeroTolerance, ceiling }: { zeroTolerance: number; ceiling: number | undefined },
): SafeHtml {
  const { Plot } = maker;
  const cells = cellsOf(points, zeroTolerance);
  const top = cells.reduce((max, { surprise }) => Math.max(max, surprise), 0);
  const reach = 1.08 * Math.max(LEAST_REACH, maximum(points.entropyMovement, points.length));
  const shownCeiling = ceiling !== undefined && top > 0.5 * ceiling ? ceiling : undefined;
  const title = "Surprise against entropy movement";
  const description = `${countText(points.length)} measured steps. A step at the left or right changed how certain the evaluator was; a step high up changed what it believed. The table of all steps holds the numbers.`;
  return maker.draw({ title, description }, (width) => {
    const ticks = width === "wide" ? 8 : 4;
    return {
      height: width === "wide" ? 400 : 310,
      marginLeft: 46,
      marginRight: 20,
      marginTop: 26,
      marginBottom: 46,
      r: { type: "identity" },
      x: {
        domain: [-reach, reach],
        label: "entropy movement, nats (right: more certain)",
        labelAnchor: "center",
        labelArrow: "none",
        ticks,
      },
      y: {
        domain: [0, (shownCeiling ?? top) * 1.08 || 1],
        label: "surprise, nats",
        insetBottom: 16,
        labelArrow: "none",
      },
      marks: [
        Plot.gridX({ stroke: "var(--line)", strokeOpacity: 1, ticks }),
        Plot.gridY({ stroke: "var(--line)", strokeOpacity: 1 }),
        Plot.ruleX([0], { stroke: "var(--muted)" }),
        ...(shownCeiling === undefined ? [] : ceilingMarks(maker, shownCeiling, reach)),
        ...([-1, 0, 1] as const).flatMap((side) => cellMarks(maker, cells, side, width)),
      ],
    };
  });
}

/** Marks of one side, and the number of steps beside those where many fall together. */
function cellMarks({ Plot }: PlotMaker, cells: readonly Cell[], side: Cell["side"], width: PlotWidth) {
  const own = cells.filter((cell) => cell.side === side);
  const radius = radiusOf(cells, width);
  const many = 0.04 * cells.reduce((sum, { count }) => sum + count, 0);
  const dx = side * (width === "wide" ? 10 : 8);
  return [
    Plot.dot(own, {
      x: "entropyMovement",
      y: "surprise",
      dx,
      r: radius,
      symbol: ({ sign }: Cell) => MARKS[sign].symbol,
      rotate: ({ sign }: Cell) => (sign === "away" ? 180 : 0),
      fill: ({ sign }: Cell) => MARKS[sign].fill,
      fillOpacity: 0.62,
      stroke: "var(--bg)",
      strokeWidth: 0.7,
      sort: { channel: "-r" },
    }),
    ...own
      .filter(({ count }) => count >= Math.max(8, many))
      .map((cell) =>
        Plot.text([cell], {
          x: "entropyMovement",
          y: "surprise",
          text: ({ count }: Cell) => countText(count),
          dx: dx + (side < 0 ? -1 : 1) * (radius(cell) + 5),
          textAnchor: side < 0 ? "end" : "start",
          fill: MARKS[cell.sign].fill,
          stroke: "var(--bg)",
          strokeWidth: 3,
        }),
      ),
  ];
}

function ceilingMarks({ Plot }: PlotMaker, ceiling: number, reach: number) {
  return [
    Plot.ruleY([ceiling], { stroke: "var(--muted)", strokeDasharray: "4 3" }),
    Plot.text([`ceiling ${ceiling.toFixed(3)}`], {
      x: reach,
      y: ceiling,
      dy: -8,
      textAnchor: "end",
      fill: "var(--muted)",
    }),
  ];
}

/** A single step can be seen, and the area grows with the number of steps. */
function radiusOf(cells: readonly Cell[], width: PlotWidth): (cell: Cell) => number {
  const most = cells.reduce((max, { count }) => Math.max(max, count), 1);
  const [least, largest] = width === "wide" ? [4, 18] : [3, 12];
  return ({ count }) =>
    Math.max(least, Math.min(largest, least * Math.sqrt(count), largest * Math.sqrt(count / most)));
}

/** What the marks of {@link movementPlot} mean. */
export const movementLegend = markup`<p class="legend"><span class="key"><svg class="glyph" viewBox="0 0 20 12" aria-hidden="true"><path d="M10 1L16 11H4Z" class="g-pos" /></svg>toward the target</span> <span class="key"><svg class="glyph" viewBox="0 0 20 12" aria-hidden="true"><path d="M10 11L16 1H4Z" class="g-neg" /></svg>away from it</span> <span class="key"><svg class="glyph" viewBox="0 0 20 12" aria-hidden="true"><circle cx="10" cy="6" r="5" class="g-still" /></svg>margin unmoved or unknown</span> <span class="key-note">Larger, with their number: more steps in one place</span></p>`;

function cellsOf(points: StepPoints, zeroTolerance: number): Cell[] {
  const reach = Math.max(LEAST_REACH, maximum(points.entropyMovement, points.length));
  const top = maximum(points.surprise, points.length) || 1;
  const cells = new Map<string, Cell>();
  for (let i = 0; i < points.length; i++) {
    const surprise = points.surprise[i]!;
    const entropyMovement = points.entropyMovement[i]!;
    const sign = signOf(points.marginGain[i]!, zeroTolerance);
    const column = Math.round((entropyMovement / reach) * (CELLS / 2));
    const row = Math.round((surprise / top) * CELLS);
    const key = `${sign} ${column} ${row}`;
    const cell = cells.get(key);
    if (cell === undefined) {
      cells.set(key, { sign, count: 1, surprise, entropyMovement, side: 0 });
      continue;
    }
    cell.count++;
    cell.surprise += (surprise - cell.surprise) / cell.count;
    cell.entropyMovement += (entropyMovement - cell.entropyMovement) / cell.count;
  }
  for (const [key, cell] of cells) {
    if (cell.sign === "toward" && cells.has(key.replace("toward", "away"))) cell.side = 1;
    if (cell.sign === "away" && cells.has(key.replace("away", "toward"))) cell.side = -1;
  }
  return [...cells.values()];
}

function signOf(gain: number, zeroTolerance: number): Sign {
  if (Number.isNaN(gain)) return "unknown";
  return gain > zeroTolerance ? "toward" : gain < -zeroTolerance ? "away" : "still";
}

function maximum(values: Float64Array, length: number): number {
  let most = 0;
  for (let i = 0; i < length; i++) most = Math.max(most, Math.abs(values[i]!));
  return most;
}
