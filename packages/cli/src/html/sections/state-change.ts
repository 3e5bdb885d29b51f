import type { Block } from "@agent-step-value/sdk";
import type { BlockChange, StateChange } from "../collect/state-difference.ts";
import type { Segment } from "../collect/text-difference.ts";
import { boundedMarkup, boundedText, cutNote, type ByteBudget } from "../markup/bounded-text.ts";
import { foreign, plural } from "../markup/foreign.ts";
import { markup, type HtmlValue, type SafeHtml } from "../markup/markup.ts";

const signs = { added: "+", removed: "−", changed: "±" } as const;

/** What a step did to a state, block by block, within a budget of bytes. */
export function stateChangeMarkup(
  { changes, unchanged, omitted }: StateChange,
  budget: ByteBudget,
): SafeHtml {
  if (changes.length === 0) return markup`<p class="quiet">The state is the same after as before.</p>`;
  const shown = changes.map((change) => (budget.left < 80 ? undefined : blockMarkup(change, budget)));
  const hidden = omitted + shown.filter((part) => part === undefined).length;
  const rest = hidden > 0 && `${plural(hidden, "more changed block")}; `;
  return markup`${shown}<p class="quiet">${rest}${plural(unchanged, "block")} unchanged</p>`;
}

/** Blocks of a whole state, within a budget. */
export function stateMarkup(blocks: readonly Block[], budget: ByteBudget): SafeHtml {
  if (blocks.length === 0) return markup`<p class="quiet">No state was recorded, or it was empty.</p>`;
  const shown = blocks.map(({ kind, name, text }) => {
    if (budget.left < 80) return undefined;
    return markup`<div class="block"><p class="block-name">${blockName(kind, name)}</p>
<p class="text" dir="auto">${boundedMarkup(text, budget)}</p></div>`;
  });
  const hidden = shown.filter((part) => part === undefined).length;
  return markup`${shown}${hidden > 0 && markup`<p class="quiet">${plural(hidden, "more block")}</p>`}`;
}

function blockMarkup({ op, kind, name, segments }: BlockChange, budget: ByteBudget): SafeHtml {
  budget.left -= 60;
  return markup`<div class="block ${op}"><p class="block-name"><span class="sign" aria-hidden="true">${signs[op]}</span>${op} ${blockName(kind, name)}</p>
<p class="text" dir="auto">${segmentsMarkup(segments, budget)}</p></div>
`;
}

function blockName(kind: string, name: string | undefined): HtmlValue {
  const words = kind.replaceAll("_", " ");
  return markup`<b>${words}</b>${name !== undefined && name !== words && markup` ${foreign(name, 48)}`}`;
}

/** Stretches of one block. What no longer fits is counted in one note at the end. */
function segmentsMarkup(segments: readonly Segment[], budget: ByteBudget): HtmlValue {
  const parts: SafeHtml[] = [];
  let cut = 0;
  for (const { op, text, omitted = 0 } of segments) {
    if (budget.left < 24) {
      cut += text.length + omitted;
      continue;
    }
    const written = boundedText(text, budget);
    parts.push(
      op === "same"
        ? written.html
        : op === "added"
          ? markup`<ins>${written.html}</ins>`
          : markup`<del>${written.html}</del>`,
    );
    if (op !== "same" || written.cut > 0) cut += written.cut + omitted;
    else if (omitted > 0) parts.push(skipNote(omitted, budget));
  }
  return markup`${parts}${cut > 0 && cutNote(cut)}`;
}

function skipNote(characters: number, budget: ByteBudget): SafeHtml {
  budget.left -= 40;
  return markup` <span class="cut">[${characters.toLocaleString("en")} unchanged]</span> `;
}
