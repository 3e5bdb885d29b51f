/** Head of the page, first screen, comparisons. */
export const OVERVIEW = `
.top { padding-top: 1.5rem; }
.top-bar { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 2rem; font-size: 0.875rem; }
.eyebrow { color: var(--muted); padding: 0.2rem 0; }
.top h1 { font-size: clamp(1.5rem, 1.1rem + 1.6vw, 2.1rem); letter-spacing: -0.02em; margin-top: 0.4rem; }
.top .lead { max-width: 60rem; margin-top: 0.5rem; color: var(--muted); }
.top .lead strong { color: var(--ink); }
.cautions { list-style: none; margin: 0.9rem 0 0; display: grid; gap: 0.5rem; }
.cautions li, .caution { background: var(--warn-bg); color: var(--warn-ink); border-left: 4px solid var(--warn-line); padding: 0.55rem 0.9rem; font-size: 0.925rem; max-width: 60rem; }
#overview { margin-top: 1.1rem; }
.caution { margin: 0.7rem 0; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.6rem, 1fr)); gap: 1.1rem 1.5rem; margin-top: 1.2rem; }
.tile { border-top: 1px solid var(--line); padding-top: 0.6rem; }
.tile dt { font-size: 0.875rem; font-weight: 600; }
.tile dd { margin: 0; }
.tile .value { font-size: 1.5rem; line-height: 1.3; letter-spacing: -0.01em; white-space: nowrap; }
.tile .value small { font-size: 0.55em; letter-spacing: 0; }
.tile .note { font-size: 0.8rem; line-height: 1.4; }
.signs .zero { color: var(--muted); }
.signs .slash { color: var(--muted); font-weight: 300; }
.sign-bar { display: flex; gap: 2px; height: 6px; margin: 0.15rem 0 0.35rem; }
.sign-bar i { flex-basis: 0; min-width: 2px; }
.sign-bar .pos { background: var(--pos); }
.sign-bar .zero { background: var(--line); }
.sign-bar .neg { background: var(--neg); }
.cards { display: grid; grid-template-columns: 0.8fr 1.1fr 1.25fr; gap: 1.1rem; margin-top: 1.5rem; }
.card { background: var(--panel); border-radius: 8px; padding: 1rem 1.15rem 1.1rem; font-size: 0.9rem; line-height: 1.45; }
.card h3 { font-size: 1rem; margin-bottom: 0.6rem; }
.facts { display: grid; grid-template-columns: auto 1fr; gap: 0.3rem 0.9rem; }
.facts dt { color: var(--muted); }
.facts dd { margin: 0; }
.symbol { font-family: "Liberation Serif", Georgia, serif; font-style: italic; }
.trust { list-style: none; display: grid; gap: 0.45rem; }
.trust li { padding-left: 1.5rem; position: relative; }
.trust li::before { position: absolute; left: 0; top: 0; width: 1.1rem; text-align: center; font-weight: 700; }
.trust .good::before { content: "\\2713" / "In favour:"; color: var(--pos); }
.trust .note { color: inherit; }
.trust .note::before { content: "\\2022" / "To note:"; color: var(--muted); }
.trust .warn::before { content: "!" / "Warning:"; color: var(--neg); }
.to-more { margin-top: 0.7rem; }
.callout { margin-top: 1.4rem; border: 1px solid var(--line); border-left: 4px solid var(--second); border-radius: 0 8px 8px 0; padding: 0.9rem 1.2rem 1rem; }
.callout h3 { margin-bottom: 0.3rem; }
.callout p { max-width: 60rem; }
.comparison + .comparison { margin-top: 3rem; }
.differences { list-style: none; margin: 0.4rem 0 1rem; display: grid; gap: 0.25rem; }
@media (max-width: 60rem) {
  .cards { grid-template-columns: 1fr; }
}
@media (max-width: 40rem) {
  .tiles { grid-template-columns: 1fr 1fr; gap: 1rem; }
  .top { padding-top: 1.2rem; }
  .tile .value { font-size: 1.3rem; }
}
@media print {
  .cards { grid-template-columns: 0.8fr 1.1fr 1.25fr; }
  .card { border: 1px solid var(--line); }
}
`;
