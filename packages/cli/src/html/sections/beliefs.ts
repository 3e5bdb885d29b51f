import type { ByCandidate, StepDiagnostics } from "@agent-step-value/sdk";
import type { CandidateView } from "../collect/run-view.ts";
import { foreign, plural } from "../markup/foreign.ts";
import { markup, type SafeHtml } from "../markup/markup.ts";
import { plainText } from "../markup/number.ts";

/** Candidates listed one by one; of more than these, the first four, and the rest added up in a fifth row. */
const MOST_CANDIDATES = 5;

/**
 * Belief in each candidate before and after a step, as bars with their numbers. Every step has such a table, so it
 * brings no attribute that its shape implies: a header in a row of headers is a column's, one before cells a row's.
 */
export function beliefTable(
  { beliefBefore, beliefAfter }: StepDiagnostics,
  candidates: readonly CandidateView[],
): SafeHtml {
  const listed = mainCandidates(candidates, beliefBefore, beliefAfter);
  const others = candidates.length - listed.length;
  const rest = (belief: ByCandidate): number =>
    Math.max(0, 1 - listed.reduce((sum, { id }) => sum + beliefIn(belief, id), 0));
  const rows = listed.map(({ id, text, isTarget }) =>
    beliefRow(foreign(text || id, 36), beliefIn(beliefBefore, id), beliefIn(beliefAfter, id), isTarget),
  );
  if (others > 0) {
    const name = markup`${plural(others, "other")} together`;
    rows.push(beliefRow(name, rest(beliefBefore), rest(beliefAfter), false));
  }
  return markup`<table class="beliefs" aria-label="Beliefs"><tr><th>Belief in</th><th>before</th><th>after</th></tr>${rows}</table>
`;
}

function beliefRow(name: SafeHtml, before: number, after: number, isTarget: boolean): SafeHtml {
  const cells = markup`${bar(before)}${bar(after)}`;
  if (!isTarget) return markup`<tr><th>${name}</th>${cells}</tr>`;
  return markup`<tr class="is-target"><th>${name}${targetMark}</th>${cells}</tr>`;
}

/** The mark of the reviewed target. */
export const targetMark = markup` <span class="target">target</span>`;

/** A number under a bar, which the style sheet draws to the width given here; unrounded in its title. */
function bar(belief: number): SafeHtml {
  const width = Number((100 * belief).toFixed(1));
  if (width === 0) return markup`<td title="${belief}">${plainText(belief)}</td>`;
  return markup`<td style="--p:${width}%" title="${belief}">${plainText(belief)}</td>`;
}

function beliefIn(belief: ByCandidate, id: string): number {
  return Object.hasOwn(belief, id) ? belief[id]! : 0;
}

/** The target and the candidates with most belief on either side, in the set's order. */
function mainCandidates(
  candidates: readonly CandidateView[],
  before: ByCandidate,
  after: ByCandidate,
): readonly CandidateView[] {
  if (candidates.length <= MOST_CANDIDATES) return candidates;
  const weight = ({ id, isTarget }: CandidateView) =>
    isTarget ? 2 : Math.max(beliefIn(before, id), beliefIn(after, id));
  const chosen = new Set([...candidates].sort((a, b) => weight(b) - weight(a)).slice(0, MOST_CANDIDATES - 1));
  return candidates.filter((candidate) => chosen.has(candidate));
}
