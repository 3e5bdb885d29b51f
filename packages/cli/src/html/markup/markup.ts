import { visibleText } from "./visible-text.ts";

/** Markup that this package made. Only {@link markup} and {@link ownMarkup} make one. */
export class SafeHtml {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  toString(): string {
    return this.#text;
  }
}

/** What a template takes: markup as it is, text escaped, lists joined; undefined, null and false are nothing. */
export type HtmlValue = SafeHtml | string | number | undefined | null | false | readonly HtmlValue[];

const checked = new WeakSet<TemplateStringsArray>();

/**
 * A piece of markup. Every string put into it is escaped for text and for quoted attributes, and its
 * hidden characters (bidirectional marks, controls, lone surrogates) become visible.
 *
 * @throws TypeError for a template that puts a value where quoting cannot protect it
 */
export function markup(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): SafeHtml {
  if (!checked.has(strings)) checkTemplate(strings);
  let text = strings[0]!;
  for (let i = 0; i < values.length; i++) text += toMarkup(values[i]) + strings[i + 1]!;
  return new SafeHtml(text);
}

/** Parts with a text between them, and another before the last one. */
export function joined(
  parts: readonly HtmlValue[],
  between: HtmlValue = ", ",
  beforeLast: HtmlValue = between,
): SafeHtml {
  return markup`${parts.map((part, i) => [i > 0 && (i === parts.length - 1 ? beforeLast : between), part])}`;
}

/** Markup that holds nothing from outside: a style sheet, a plot whose texts its serialiser escaped. */
export function ownMarkup(text: string): SafeHtml {
  return new SafeHtml(text);
}

/** Text escaped for markup and quoted attributes. */
export function escapeText(text: string): string {
  return /[&<>"'`]/.test(text) ? text.replace(/[&<>"'`]/g, (character) => ENTITIES[character]!) : text;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
};

function toMarkup(value: HtmlValue): string {
  if (value instanceof SafeHtml) return value.toString();
  if (typeof value === "string") return escapeText(visibleText(value));
  if (typeof value === "number") return String(value);
  if (value === undefined || value === null || value === false) return "";
  let text = "";
  for (const inner of value) text += toMarkup(inner);
  return text;
}

/** A value may stand in text or in a quoted attribute; not as a tag, an attribute name or unquoted. */
function checkTemplate(strings: TemplateStringsArray): void {
  let quoted = false;
  let inTag = false;
  for (const part of strings.slice(0, -1)) {
    for (const character of part) {
      if (!inTag) inTag = character === "<";
      else if (character === '"') quoted = !quoted;
      else if (character === ">" && !quoted) inTag = false;
    }
    if (inTag && !quoted)
      throw new TypeError(`a value stands in a tag outside quotes, after ${part.slice(-30)}`);
  }
  checked.add(strings);
}
