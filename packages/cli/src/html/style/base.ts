/** Page, type and tables. */
export const BASE = `
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body { margin: 0; background: var(--bg); color: var(--ink); font: 400 1rem/1.55 "Inter", "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.page { max-width: 72rem; margin: 0 auto; padding: 0 1.5rem 4rem; }
h1, h2, h3, h4, h5 { line-height: 1.25; margin: 0; text-wrap: balance; }
h2 { font-size: 1.5rem; letter-spacing: -0.01em; }
h3 { font-size: 1.1rem; }
p, ul, ol, dl { margin: 0; }
ul, ol { padding: 0; }
a { color: var(--accent); text-underline-offset: 0.15em; }
a:hover { text-decoration-thickness: 2px; }
code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; font-size: 0.875em; }
small { font-size: 0.8em; font-weight: 400; color: var(--muted); }
bdi { unicode-bidi: isolate; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -100vw; top: 0; padding: 0.6rem 1rem; background: var(--ink); color: var(--bg); z-index: 2; }
.skip:focus { left: 0; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.pos { color: var(--pos); }
.neg { color: var(--neg); }
.none, .quiet, .note { color: var(--muted); }
.ci { white-space: nowrap; }
section { margin-top: 3.5rem; }
section > h2 { padding-top: 1.1rem; border-top: 2px solid var(--ink); }
section > h3, .comparison > h3 { margin-top: 2.2rem; }
.intro { max-width: 46rem; margin: 0.6rem 0 1.2rem; color: var(--muted); }
section > p:not([class]), .comparison > p { max-width: 46rem; margin: 0.7rem 0; }
p.note { max-width: 46rem; margin-top: 0.6rem; font-size: 0.875rem; }
.limits { max-width: 46rem; padding-left: 1.2rem; margin-top: 0.6rem; }
.limits li { margin: 0.4rem 0; }
nav ul { display: flex; flex-wrap: wrap; gap: 0 1.1rem; list-style: none; }
nav a { display: inline-block; padding: 0.2rem 0; }
footer { margin-top: 4rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--muted); font-size: 0.875rem; max-width: 46rem; }
.scroll { overflow-x: auto; margin: 0.8rem 0; }
table { border-collapse: collapse; font-size: 0.875rem; line-height: 1.4; }
.scroll > table { min-width: 100%; }
caption { text-align: left; color: var(--muted); padding: 0 0 0.4rem; }
th, td { text-align: left; padding: 0.36rem 0.7rem 0.36rem 0; vertical-align: top; border-bottom: 1px solid var(--line); font-weight: 400; }
thead th { font-weight: 600; color: var(--muted); border-bottom: 1px solid var(--muted); vertical-align: bottom; }
tbody th { font-weight: 600; min-width: 7rem; }
.num + :not(.num) { padding-left: 1.4rem; }
small.under { display: block; }
.num { text-align: right; white-space: nowrap; padding-left: 0.7rem; padding-right: 0; }
.scroll > table th, .scroll > table td { overflow-wrap: break-word; }
thead .num { white-space: normal; min-width: 4.2rem; }
.steps td { text-align: right; white-space: nowrap; padding-left: 0.7rem; padding-right: 0; }
.steps .w { text-align: left; white-space: normal; padding-right: 0.7rem; }
.steps td + th, .steps td:not(.w) + .w { padding-left: 1.4rem; }
details.more, details.rationale { margin-top: 0.9rem; }
summary { cursor: pointer; }
details.more > summary, details.rationale > summary { color: var(--accent); width: fit-content; padding: 0.15rem 0; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 0 2.5rem; align-items: start; }
.of-run { display: block; font-weight: 400; font-size: 0.8rem; color: var(--muted); }
@media (max-width: 40rem) {
  .page { padding: 0 1rem 3rem; }
  section { margin-top: 2.6rem; }
}
@media print {
  html { font-size: 11px; }
  .page { max-width: none; padding: 0; }
  nav, .skip { display: none; }
  a { color: inherit; text-decoration: none; }
  .scroll { overflow: visible; }
  .scroll > table { font-size: 0.78rem; }
  h2, h3, h4, summary { break-after: avoid; }
  figure, tr, .card, .tile, .callout, .block { break-inside: avoid; }
  thead { display: table-header-group; }
}
`;
