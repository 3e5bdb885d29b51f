import type { GainScale } from "../collect/gain-scale.ts";
import { markup, type SafeHtml } from "../markup/markup.ts";

/** The class that colours a gain; none for one that is zero within the tolerance. */
export function signClass(gain: number | undefined, { zeroTolerance }: GainScale): string {
  if (gain === undefined || Math.abs(gain) <= zeroTolerance) return "";
  return gain > 0 ? "pos" : "neg";
}

/** A cell or a value that holds a gain, written by `signed`, in the colour of its direction. */
export function gainElement(
  name: "td" | "dd",
  gain: number | undefined,
  scale: GainScale,
  signed: (gain: number | undefined) => SafeHtml,
): SafeHtml {
  const sign = signClass(gain, scale);
  const number = signed(gain);
  if (name === "td")
    return sign === "" ? markup`<td>${number}</td>` : markup`<td class="${sign}">${number}</td>`;
  return sign === "" ? markup`<dd>${number}</dd>` : markup`<dd class="${sign}">${number}</dd>`;
}
