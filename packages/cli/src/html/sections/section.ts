import { markup, type HtmlValue, type SafeHtml } from "../markup/markup.ts";

/** A titled part of the page; its title is where the contents point to. */
export function section(id: string, title: HtmlValue, ...body: readonly HtmlValue[]): SafeHtml {
  return markup`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${body}</section>
`;
}

/** A number with its name and what stands beside it. */
export function tile(name: HtmlValue, value: HtmlValue, note: HtmlValue): SafeHtml {
  return markup`<div class="tile"><dt>${name}</dt><dd class="value">${value}</dd><dd class="note">${note}</dd></div>
`;
}

/** Warnings, each in a box of its own; nothing where there is none. */
export function cautionList(cautions: readonly HtmlValue[]): HtmlValue {
  if (cautions.length === 0) return undefined;
  return markup`<ul class="cautions">${cautions.map((caution) => markup`<li>${caution}</li>`)}</ul>
`;
}

/** A plot with what it shows and how to read it. */
export function figure(caption: HtmlValue, ...body: readonly HtmlValue[]): SafeHtml {
  return markup`<figure>${body}<figcaption>${caption}</figcaption></figure>
`;
}

/** Something that can be opened to see more. */
export function more(summary: HtmlValue, ...body: readonly HtmlValue[]): SafeHtml {
  return markup`<details class="more"><summary>${summary}</summary>${body}</details>
`;
}
