import { shortText } from "../markup/visible-text.ts";
import type { PlotWidth } from "./plot-maker.ts";

/** Characters of a name that fit beside a plot. */
const MOST_CHARS = { wide: 32, narrow: 17 } as const;

/**
 * Names of a plot's rows, shortened, and the room they need, px.
 *
 * @param rows name, and what follows it however short it is cut
 */
export function rowLabels(
  rows: readonly (readonly [name: string, suffix: string])[],
  width: PlotWidth,
): { texts: string[]; width: number } {
  const texts = rows.map(([name, suffix]) => (shortText(name, MOST_CHARS[width]) || "(empty)") + suffix);
  return { texts, width: Math.ceil(20 + texts.reduce((most, text) => Math.max(most, textWidth(text)), 20)) };
}

/** About how wide a text is at 12 px: nothing measures fonts where a report is rendered. */
function textWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    width += /[\u1100-\uFFFF]|\p{Extended_Pictographic}/u.test(character)
      ? 12.5
      : /[A-Z_mwMW@%…]/.test(character)
        ? 8.6
        : 6.5;
  }
  return width;
}
