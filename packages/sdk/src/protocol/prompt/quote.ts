const MARK = "| ";

/** Every character some reader takes for the end of a line. */
const LINE_ENDS = new Set(["\n", "\r", "\v", "\f", "\u0085", "\u2028", "\u2029"]);

/**
 * Foreign text for a prompt: every line starts with `| `, and no line of the skeleton does.
 *
 * That is the whole escaping rule. A text cannot close its block or imitate another one, whatever
 * it holds, since each line end inside it is followed by the mark. The text itself is kept to the
 * character. Empty text has no line, not an empty one.
 */
export function quoteLines(text: string): string {
  if (text === "") return "";
  let out = MARK;
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    if (!LINE_ENDS.has(text[i]!)) continue;
    if (text[i] === "\r" && text[i + 1] === "\n") continue;
    out += text.slice(from, i + 1) + MARK;
    from = i + 1;
  }
  return `${out}${text.slice(from)}\n`;
}

/** A name on one line in double quotes, as a JSON string with every line end escaped. */
export function quoteName(name: string): string {
  let out = "";
  for (const char of JSON.stringify(name)) {
    out += LINE_ENDS.has(char) ? `\\u${char.codePointAt(0)!.toString(16).padStart(4, "0")}` : char;
  }
  return out;
}
