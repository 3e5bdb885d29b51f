/** Plots with their legends. */
export const FIGURES = `
figure { margin: 1rem 0 0; }
figcaption { max-width: 46rem; margin-top: 0.5rem; font-size: 0.875rem; color: var(--muted); }
.plots { max-width: 60rem; }
svg.plot { display: block; width: 100%; height: auto; color: var(--muted); font: 12px "Inter", "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif; font-variant-numeric: tabular-nums; overflow: visible; }
svg.plot text { white-space: pre; }
svg.narrow { display: none; }
.legend { display: flex; flex-wrap: wrap; gap: 0.3rem 1.2rem; align-items: center; font-size: 0.875rem; margin: 0.6rem 0 0.4rem; }
.key { display: inline-flex; gap: 0.4rem; align-items: center; }
.key-note { color: var(--muted); }
.glyph { width: 20px; height: 12px; flex: none; }
.g-filled { fill: var(--ink); }
.g-open { fill: var(--bg); stroke: var(--ink); stroke-width: 1.75; }
.g-line { stroke: var(--ink); stroke-width: 2; }
.g-pos { fill: var(--pos); }
.g-neg { fill: var(--neg); }
.g-still { fill: var(--still); }
@media (max-width: 48rem) {
  svg.wide { display: none; }
  svg.narrow { display: block; max-width: 30rem; }
}
@media print {
  svg.wide { display: block; }
  svg.narrow { display: none; }
}
`;
