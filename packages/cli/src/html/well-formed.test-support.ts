const VOID = new Set(["meta", "br", "link", "img", "input", "hr"]);

/**
 * Complains of the first tag that closes what is not open, or is never closed. A browser repairs such a
 * page silently, and into something else than was meant.
 */
export function tagProblem(html: string): string | undefined {
  const open: string[] = [];
  for (const [tag, slash, name = ""] of html.matchAll(/<(\/?)([a-zA-Z][\w-]*)(?:"[^"]*"|[^">])*>/g)) {
    if (VOID.has(name) || tag.endsWith("/>")) continue;
    if (slash === "") open.push(name);
    else if (open.pop() !== name) return `</${name}> closes nothing`;
  }
  return open.length === 0 ? undefined : `<${open.at(-1)!}> is never closed`;
}
