/** Runs, strips, steps, state differences. */
export const RUNS = `
.cell, .mini i { display: inline-block; width: 0.75rem; height: 0.9rem; border-radius: 2px; }
.key .cell { margin-right: -0.2rem; }
.n3 { background: var(--n3); color: var(--n3-ink); }
.n2 { background: var(--n2); color: var(--n2-ink); }
.n1 { background: var(--n1); color: var(--n1-ink); }
.z { background: var(--z); color: var(--z-ink); }
.p1 { background: var(--p1); color: var(--p1-ink); }
.p2 { background: var(--p2); color: var(--p2-ink); }
.p3 { background: var(--p3); color: var(--p3-ink); }
.u { background: var(--bg); color: var(--ink); border: 1px dashed var(--muted); }
.strip-legend { margin-bottom: 1rem; }
.run { border-top: 1px solid var(--line); content-visibility: auto; contain-intrinsic-size: auto 3.4rem; }
.run[open] { content-visibility: visible; border-bottom: 1px solid var(--line); padding-bottom: 2rem; }
.run + .run[open] { border-top-color: var(--muted); }
.run > summary { display: grid; grid-template-columns: minmax(10rem, 1.1fr) minmax(8rem, 1.4fr) 5rem; gap: 0 1.2rem; padding: 0.6rem 0.3rem; list-style: none; align-items: center; }
.run > summary::-webkit-details-marker { display: none; }
.run > summary:hover { background: var(--panel); }
.run > summary h3 { font-size: 0.95rem; grid-column: 1; }
.run > summary h3::before { content: "\\25B8" / ""; display: inline-block; width: 1rem; color: var(--muted); }
.run[open] > summary h3::before { content: "\\25BE" / ""; }
.question { grid-column: 1; grid-row: 2; font-size: 0.8rem; color: var(--muted); padding-left: 1rem; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.mini { grid-column: 2; grid-row: 1; display: flex; gap: 2px; min-width: 0; }
.mini i { flex: 1 1 0; min-width: 1px; max-width: 1.6rem; height: 1rem; }
.mini .z { height: 0.35rem; align-self: center; }
.run-facts { grid-column: 2 / 4; grid-row: 2; font-size: 0.8rem; color: var(--muted); }
.run-facts .pos, .run-facts .neg { font-weight: 600; }
.run-gain { grid-column: 3; grid-row: 1; text-align: right; font-weight: 600; }
.run-body { padding: 0.6rem 0 0 1.3rem; }
.full-question { font-size: 1.05rem; max-width: 46rem; white-space: pre-line; }
.candidates { list-style: none; margin: 0.8rem 0 1.2rem; display: grid; gap: 0.25rem; font-size: 0.9rem; }
.candidates code { color: var(--muted); }
.target, .tag { display: inline-block; font-size: 0.75rem; font-weight: 600; line-height: 1.3; border: 1px solid currentColor; border-radius: 3px; padding: 0 0.3rem; vertical-align: 0.08em; }
.target { color: var(--accent); }
.tag.human { color: var(--second); }
.tag small { color: inherit; font-size: 1em; }
.strip { list-style: none; display: grid; grid-template-columns: repeat(auto-fill, minmax(6.4rem, 1fr)); gap: 3px; margin: 0.4rem 0 0.4rem; }
.strip a { display: block; height: 100%; padding: 0.35rem 0.45rem; border-radius: 3px; text-decoration: none; font-size: 0.8rem; line-height: 1.3; }
.strip a:hover { text-decoration: underline; }
.strip small { color: inherit; font-size: 0.9em; }
.strip b { display: block; font-size: 0.9rem; }
.strip em { font-style: normal; font-weight: 600; text-decoration: underline dotted; }
.step { margin-top: 1.6rem; padding-top: 0.9rem; border-top: 1px solid var(--line); scroll-margin-top: 1rem; }
.step:target { outline: 2px solid var(--accent); outline-offset: 0.5rem; border-radius: 2px; }
.step h4 { font-size: 1rem; }
.step h5 { font-size: 0.8rem; font-weight: 600; color: var(--muted); margin-top: 0.8rem; }
.step-body h5:first-child { margin-top: 0; }
.step .quiet { font-size: 0.8rem; margin-top: 0.4rem; }
.place { display: inline-block; min-width: 1.7rem; text-align: center; background: var(--panel); border-radius: 3px; font-weight: 400; color: var(--muted); margin-right: 0.3rem; }
.action, .verdict { font-size: 0.875rem; color: var(--muted); margin-top: 0.2rem; max-width: 60rem; }
.step-body { display: grid; grid-template-columns: minmax(0, 24rem) minmax(0, 1fr); gap: 0.6rem 2.4rem; margin-top: 0.7rem; }
.nums { display: grid; grid-template-columns: repeat(3, auto); gap: 0.5rem 1.2rem; justify-content: start; }
.nums dt { font-size: 0.75rem; color: var(--muted); }
.nums dd { margin: 0; }
.nums > div:first-child dd { font-weight: 700; }
.nums > .others { grid-column: 1 / -1; }
.others dd { display: inline-block; margin-right: 1rem; font-size: 0.875rem; color: var(--muted); }
.others data { color: var(--ink); }
.beliefs { width: 100%; margin-top: 0.9rem; font-size: 0.8rem; table-layout: fixed; }
.beliefs th, .beliefs td { padding: 0.25rem 0.6rem 0.25rem 0; border-bottom: 0; vertical-align: middle; }
.beliefs tr:first-child th { font-weight: 600; color: var(--muted); border-bottom: 1px solid var(--line); vertical-align: bottom; min-width: 0; }
.beliefs tr + tr th { font-weight: 400; min-width: 0; }
.beliefs tr.is-target th { font-weight: 600; }
.beliefs th:not(:first-child), .beliefs td { width: 5.6rem; }
.beliefs td::before { content: ""; display: block; height: 5px; margin-bottom: 1px; border-radius: 2px; background: linear-gradient(to right, var(--muted) var(--p, 0%), var(--z) 0); }
.beliefs .is-target td::before { background: linear-gradient(to right, var(--accent) var(--p, 0%), var(--z) 0); }
.flags { margin-top: 0.8rem; font-size: 0.8rem; color: var(--muted); }
.flags::before { content: "\\2691" / ""; margin-right: 0.3em; }
.block { margin-top: 0.5rem; font-size: 0.875rem; line-height: 1.5; }
.block-name { font-size: 0.8rem; color: var(--muted); }
.block-name b { font-weight: 600; }
.block.added > .block-name::before, .block.removed > .block-name::before, .block.changed > .block-name::before { display: inline-block; width: 1rem; font-weight: 700; }
.block.added > .block-name::before { content: "+" / ""; }
.block.removed > .block-name::before { content: "\\2212" / ""; }
.block.changed > .block-name::before { content: "\\00B1" / ""; }
.text { white-space: pre-wrap; unicode-bidi: isolate; overflow: clip; contain: paint; border-left: 2px solid var(--line); padding-left: 0.7rem; margin-left: 0.2rem; }
ins { background: var(--ins-bg); color: var(--ins-ink); text-decoration: none; }
del { background: var(--del-bg); color: var(--del-ink); text-decoration: line-through; }
.block.added .text { border-left-color: var(--ins-line); }
.block.removed .text { border-left-color: var(--del-line); }
.block.added ins { background: none; color: inherit; }
.block.removed del { background: none; color: var(--muted); }
.hid { font-size: 0.75em; border: 1px solid currentColor; border-radius: 2px; padding: 0 0.2em; white-space: nowrap; unicode-bidi: isolate; direction: ltr; }
.cut { color: var(--muted); font-style: italic; }
.gap { margin: 1.2rem 0; text-align: center; color: var(--muted); font-size: 0.875rem; }
.rationale .text { margin-top: 0.3rem; }
@media (max-width: 52rem) {
  .step-body { grid-template-columns: minmax(0, 1fr); }
}
@media (max-width: 40rem) {
  .run > summary { grid-template-columns: 1fr auto; }
  .run > summary h3 { grid-column: 1; grid-row: 1; }
  .run-gain { grid-column: 2; }
  .question { grid-column: 1 / 3; }
  .mini { grid-column: 1 / 3; grid-row: 3; margin-top: 0.3rem; }
  .run-facts { grid-column: 1 / 3; grid-row: 4; }
  .run-body { padding-left: 0; }
  .strip { grid-template-columns: repeat(auto-fill, minmax(5.4rem, 1fr)); }
}
@media print {
  .run { content-visibility: visible; }
  .step { break-inside: auto; }
  .mini i, .cell, .strip a, .beliefs td::before, .sign-bar i, ins, del, .card, .cautions li { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
