/** What one stretch of a ReAct text is. */
export type ReactPart = "thought" | "action" | "action input" | "observation" | "final answer";

export interface ReactEvent {
  part: ReactPart;
  /** 1-based line on which it begins. */
  line: number;
  text: string;
}

const heading =
  /^\s{0,8}\*{0,2}(thought|action input|action|observation|final answer)\s{0,2}\d{0,4}\*{0,2}\s{0,2}:\*{0,2}/i;

/**
 * Splits a ReAct text at its headings: `Thought:`, `Action:`, `Action Input:`, `Observation:`,
 * `Final Answer:`, also numbered (`Action 2:`) or bold. A stretch runs to the next heading.
 *
 * @returns the events, and what stands before the first heading
 */
export function reactEvents(text: string): { preamble: string; events: ReactEvent[] } {
  const preamble: string[] = [];
  const found: { part: ReactPart; line: number; lines: string[] }[] = [];
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    const match = heading.exec(line);
    if (match !== null) {
      const part = match[1]!.toLowerCase() as ReactPart;
      found.push({ part, line: i + 1, lines: [line.slice(match[0].length)] });
    } else {
      (found.at(-1)?.lines ?? preamble).push(line);
    }
  }
  const events = found.map(({ part, line, lines }) => ({ part, line, text: lines.join("\n").trim() }));
  return { preamble: preamble.join("\n").trim(), events };
}
