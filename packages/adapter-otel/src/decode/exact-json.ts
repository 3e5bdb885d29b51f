/**
 * Marks an integer that `JSON.parse` would have rounded. Drawn for each process: a file that holds such a
 * text by itself could only have been written by someone who read this process's memory.
 */
const MARK = `\u0001${crypto.randomUUID().slice(0, 13)}:`;

/** Shortest run of digits that can be beyond 2^53 - 1. */
const UNSAFE_DIGITS = 16;

/**
 * Parses JSON without losing a digit of any integer: one beyond 2^53 comes back as a marked string, which
 * {@link exactInteger} turns into a bigint. Python writes ids of 128 bits and Tempo nanoseconds that way.
 *
 * A pass over the text before parsing serves every runtime; a reviver would have to run for each value,
 * and Node 20 does not give it the number's text.
 *
 * @throws {SyntaxError}
 */
export function parseExactJson(text: string): unknown {
  if (!hasLongDigits(text)) return JSON.parse(text);
  try {
    return JSON.parse(markUnsafeIntegers(text));
  } catch {
    return JSON.parse(text); // marks move the place that the error names
  }
}

/** The value of a marked integer, else undefined. */
export function exactInteger(value: unknown): bigint | undefined {
  if (typeof value !== "string" || !value.startsWith(MARK)) return undefined;
  return BigInt(value.slice(MARK.length));
}

/** A quick look that may say yes for digits within a string, where the mark then changes nothing. */
function hasLongDigits(text: string): boolean {
  return /(?:^|[[:,\s])-?\d{16}/.test(text);
}

function markUnsafeIntegers(text: string): string {
  const mark = JSON.stringify(MARK).slice(0, -1);
  let marked = "";
  let copied = 0;
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = endOfString(text, at);
    } else if (isDigit(code)) {
      let end = at + 1;
      while (isDigit(text.charCodeAt(end))) end++;
      const start = text.charCodeAt(at - 1) === 0x2d ? at - 1 : at;
      // JSON has no leading zeros; a mark would hide one.
      const isInteger =
        code !== 0x30 && !isFraction(text.charCodeAt(end)) && !isFraction(text.charCodeAt(start - 1));
      if (isInteger && end - at >= UNSAFE_DIGITS && !Number.isSafeInteger(Number(text.slice(at, end)))) {
        marked += `${text.slice(copied, start)}${mark}${text.slice(start, end)}"`;
        copied = end;
      }
      at = end;
    } else at++;
  }
  return marked + text.slice(copied);
}

/** Place behind the closing quote of the string that begins here. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** `.`, `e`, `E` and `+`: digits next to them belong to a number that is a double by itself. */
function isFraction(code: number): boolean {
  return code === 0x2e || code === 0x65 || code === 0x45 || code === 0x2b;
}
