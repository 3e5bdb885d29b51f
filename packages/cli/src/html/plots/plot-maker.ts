import type { PlotOptions } from "@observablehq/plot";
import { markup, ownMarkup, type SafeHtml } from "../markup/markup.ts";

type PlotModule = typeof import("@observablehq/plot");

/** What a reader who does not see a plot is told. */
export interface PlotText {
  title: string;
  description: string;
}

/** Draws plots as SVG text, each with ids of its own. */
export interface PlotMaker {
  Plot: PlotModule;
  /** One drawing a width; the style sheet shows the one that fits the page. */
  draw(text: PlotText, options: (width: PlotWidth) => PlotOptions): SafeHtml;
}

/** Wide pages and telephones: text of a drawing that is merely scaled down cannot be read. */
export type PlotWidth = "wide" | "narrow";
const WIDTHS: Readonly<Record<PlotWidth, number>> = { wide: 920, narrow: 356 };

/**
 * Observable Plot on a document of its own, loaded when it is first asked for. Colours are style-sheet
 * variables, so a plot follows the page's theme.
 */
export async function createPlotMaker(): Promise<PlotMaker> {
  const [Plot, { parseHTML }] = await Promise.all([import("@observablehq/plot"), import("linkedom")]);
  const { document } = parseHTML("<!doctype html><html><body></body></html>") as unknown as {
    document: NonNullable<PlotOptions["document"]>;
  };
  let drawn = 0;
  return {
    Plot,
    draw(text, options) {
      const id = `plot-${++drawn}`;
      const svgs = (["wide", "narrow"] as const).map((width) => {
        const plot = Plot.plot({
          document,
          width: WIDTHS[width],
          className: "plot",
          ...options(width),
        }) as unknown as { outerHTML: string };
        return labelled(plot.outerHTML, `${id}-${width}`, width, text);
      });
      return markup`<div class="plots">${svgs}</div>`;
    },
  };
}

/** The plot as one image with a name and a description, without its own style element. */
function labelled(svg: string, id: string, width: PlotWidth, { title, description }: PlotText): SafeHtml {
  const inner = svg
    .replace(/<style>[\s\S]*?<\/style>/, "")
    .replace(/ aria-(label|hidden)="[^"]*"/g, "")
    .replace(/^<svg[^>]*>/, "")
    .replace(/<\/svg>$/, "");
  const viewBox = /^<svg[^>]* viewBox="([^"]*)"/.exec(svg)?.[1] ?? `0 0 ${WIDTHS[width]} 300`;
  const names = markup`<title id="${id}-t">${title}</title><desc id="${id}-d">${description}</desc>`;
  return markup`<svg class="plot ${width}" role="img" viewBox="${viewBox}" fill="currentColor" text-anchor="middle" aria-labelledby="${id}-t" aria-describedby="${id}-d">${names}${ownMarkup(inner)}</svg>
`;
}
