import type { Block } from "@agent-step-value/sdk";
import type { BlockChange, StateChange } from "../collect/state-difference.ts";
import type { Segment } from "../collect/text-difference.ts";
import { boundedMarkup, boundedText, cutNote, type ByteBudget } from "../markup/bounded-text.ts";
import { foreign, plural } from "../markup/foreign.ts";
import { markup, type HtmlValue, type SafeHtml } from "../markup/markup.ts";

/** What a step did to a state, block by block, within a budget of bytes. */
export function stateChangeMarkup(
  { changes, unchanged, omitted }: StateChange,
  budget: ByteBudget,
): SafeHtml {
  if (changes.length === 0) return markup`<p class="quiet">The state is the same after as before.</p>`;
  const shown = changes.map((change, i) =>
    spend(budget, i === changes.length - 1, (share) => blockMarkup(change, share)),
  );
  const hidden = omitted + shown.filter((part) => part === undefined).length;
  const rest = hidden > 0 && `${plural(hidden, "more changed block")}; `;
  return markup`${shown}<p class="quiet">${rest}${plural(unchanged, "block")} unchanged</p>`;
}

/** Blocks of a whole state, within a budget. */
export function stateMarkup(blocks: readonly Block[], budget: ByteBudget): SafeHtml {
  if (blocks.length === 0) return markup`<p class="quiet">No state was recorded, or it was empty.</p>`;
  const shown = blocks.map(({ kind, name, text }, i) =>
    spend(
      budget,
      i === blocks.length - 1,
      (share) => markup`<div class="block"><p class="block-name">${blockName(kind, name)}</p>
<p class="text" dir="auto">${boundedMarkup(text, share)}</p></div>`,
    ),
  );
  const hidden = shown.filter((part) => part === undefined).length;
  return markup`${shown}${hidden > 0 && markup`<p class="quiet">${plural(hidden, "more block")}</p>`}`;
}

/** A block is listed only where so much is left. */
const LEAST_BYTES = 200;
/** Markup of one block beside its text. */
const BLOCK_BYTES = 130;
/** Share of what is left that one part may take while others wait. */
const SHARE = 0.6;

/** Writes one block with its share of a budget; undefined where nothing is left for it. */
function spend(
  budget: ByteBudget,
  isLast: boolean,
  write: (share: ByteBudget) => SafeHtml,
): SafeHtml | undefined {
  if (budget.left < LEAST_BYTES) return undefined;
  budget.left -= BLOCK_BYTES;
  const share = shareOf(budget, isLast);
  const whole = share.left;
  const block = write(share);
  budget.left -= whole - share.left;
  return block;
}

/** Part of a budget, so that what comes first does not take all of it. */
function shareOf({ left }: ByteBudget, isLast: boolean): ByteBudget {
  return { left: isLast ? left : Math.floor(left * SHARE) };
}

function blockMarkup({ op, kind, name, segments }: BlockChange, budget: ByteBudget): SafeHtml {
  return markup`<div class="block ${op}"><p class="block-name">${op} ${blockName(kind, name)}</p>
<p class="text" dir="auto">${segmentsMarkup(segments, budget)}</p></div>
`;
}

function blockName(kind: string, name: string | undefined): HtmlValue {
  const words = kind.replaceAll("_", " ");
  return markup`<b>${words}</b>${name !== undefined && name !== words && markup` ${foreign(name, 48)}`}`;
}

/** Stretches of one block. What does not fit is counted in a note where it is missing. */
function segmentsMarkup(segments: readonly Segment[], budget: ByteBudget): HtmlValue {
  const parts: HtmlValue[] = [];
  let skipped = 0;
  for (const [i, { op, text, omitted = 0 }] of segments.entries()) {
    if (budget.left < 24) {
      skipped += text.length + omitted;
      continue;
    }
    const share = shareOf(budget, i === segments.length - 1);
    const before = share.left;
    const { html, cut } = boundedText(text, share);
    budget.left -= before - share.left;
    parts.push(
      op === "same" ? html : op === "added" ? markup`<ins>${html}</ins>` : markup`<del>${html}</del>`,
    );
    if (op === "same" && cut === 0 && omitted > 0) parts.push(skipNote(omitted, budget));
    else if (cut + omitted > 0) parts.push(cutNote(cut + omitted), " ");
  }
  return [parts, skipped > 0 && cutNote(skipped)];
}

function skipNote(characters: number, budget: ByteBudget): SafeHtml {
  budget.left -= 40;
  return markup` <span class="cut">[${characters.toLocaleString("en")} unchanged]</span> `;
}
