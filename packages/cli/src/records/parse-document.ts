import { InvalidRecordError } from "@agent-step-value/sdk";

/** A JSON text, or a number that Python writes and JSON does not have. */
const BARE = /"[^"\\]*(?:\\[^][^"\\]*)*"|-?\b(?:Infinity|NaN)\b/g;

/**
 * The JSON of a whole document. NaN and Infinity, as Python writes them, become null: they stand among scores
 * and costs, where missing is what they say.
 *
 * @param onRepair called with the count where there were any
 * @throws InvalidRecordError with the line that is not JSON; what is in it is not shown, since it may be a state
 */
export function parseDocument(text: string, source: string, onRepair: (message: string) => void): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const repaired = withoutBareNumbers(text);
    if (repaired.count > 0 && isJson(repaired.text)) {
      onRepair(
        `${source}: ${repaired.count} numbers that JSON does not have (NaN, Infinity) are read as null`,
      );
      return JSON.parse(repaired.text);
    }
    const end = goodUpTo(text);
    const isCut = isAtEnd(String(error), text);
    const line = text.slice(0, end).split("\n").length;
    const problem = isCut
      ? `the JSON ends before it is complete, after ${text.length} characters; the file may be cut off.`
      : "not valid JSON in this line.";
    throw new InvalidRecordError({ source, line }, "", problem);
  }
}

/** True for a text that is JSON. */
export function isJson(text: string): boolean {
  return problemOf(text) === undefined;
}

function withoutBareNumbers(text: string): { text: string; count: number } {
  let count = 0;
  const repaired = text.replace(BARE, (found) => {
    if (found.startsWith('"')) return found;
    count += 1;
    return "null";
  });
  return { text: repaired, count };
}

/** How far the text could be the beginning of JSON; the engine does not say where it stops being it. */
function goodUpTo(text: string): number {
  let [good, bad] = [0, text.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    const start = text.slice(0, middle);
    const problem = problemOf(start);
    if (problem === undefined || isAtEnd(problem, start)) good = middle;
    else bad = middle;
  }
  return good;
}

/** True where the engine misses what should come next, and not where it minds what is there. */
function isAtEnd(problem: string, text: string): boolean {
  const position = /at position (\d+)/.exec(problem)?.[1];
  return (
    /end of JSON|Unterminated/.test(problem) || (position !== undefined && Number(position) >= text.length)
  );
}

function problemOf(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return String(error);
  }
}
