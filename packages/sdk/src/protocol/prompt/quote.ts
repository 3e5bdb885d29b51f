const MARK = "| ";

/** True for every character that some reader takes for the end of a line. */
function endsLine(code: number): boolean {
  return (code >= 0x0a && code <= 0x0d) || code === 0x85 || code === 0x2028 || code === 0x2029;
}

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
    if (!endsLine(text.charCodeAt(i))) continue;
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
    const code = char.charCodeAt(0);
    out += endsLine(code) ? `\\u${code.toString(16).padStart(4, "0")}` : char;
  }
  return out;
}
