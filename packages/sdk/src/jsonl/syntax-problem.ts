/**
 * Says why a line is not JSON, without quoting it: the engine's own message shows a piece of the
 * text, and states do not belong in an error.
 */
export function syntaxProblem(text: string, error: unknown): string {
  const bare = findBareNumber(text);
  if (bare !== undefined) {
    return `${bare.token} at character ${bare.at + 1} is not JSON. Numbers are finite; leave the field out where there is none.`;
  }
  return `the line is not valid JSON: ${withoutQuotation(error instanceof Error ? error.message : "")}.`;
}

/** The engine's reason, its position counted from 1, without the piece of text it may end with. */
function withoutQuotation(message: string): string {
  const quoted = message.search(/, (?:\.\.\.)?"/);
  return (quoted === -1 ? message : message.slice(0, quoted))
    .replace(/^"[^]*"/, "the text")
    .replace(/ \(line \d+ column \d+\)$/, "")
    .replace(/ in JSON at position (\d+)$/, (_, at: string) => ` at character ${Number(at) + 1}`);
}

/** The first NaN or Infinity outside a string, as many JSON writers leave them. */
function findBareNumber(text: string): { token: string; at: number } | undefined {
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (inString) {
      if (char === "\\") i++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "N" || char === "I" || char === "-") {
      const token = ["NaN", "Infinity", "-Infinity"].find((word) => text.startsWith(word, i));
      if (token !== undefined) return { token, at: i };
    }
  }
  return undefined;
}
