/** Longest name of a class that is looked through; beyond it a text is no call. */
const LONGEST_NAME = 256;

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

/** 1 for what a dotted name may hold, `<locals>` included. */
const IN_NAME = new Uint8Array(128);
for (const c of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.<>")
  IN_NAME[c.charCodeAt(0)] = 1;

function isLetter(code: number): boolean {
  const letter = code | 32;
  return (letter >= 97 && letter <= 122) || code === 95 || code > 127;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isQuote(code: number): boolean {
  return code === 39 || code === 34;
}

/** `}`, `]`, `)`, `>`, or the quote itself; -1 for what opens nothing. */
function closingOf(open: number): number {
  if (isQuote(open)) return open;
  if (open === 123 || open === 91 || open === 60) return open + 2;
  return open === 40 ? 41 : -1;
}

/** The last character that is no blank. */
function lastCode(text: string): number {
  let end = text.length - 1;
  while (isBlank(text.charCodeAt(end))) end -= 1;
  return text.charCodeAt(end);
}

/** `Name(...)`, `Name[...](...)`, `b'...'`, `name='...' ...`: what stands behind the name, and last. */
function opensWithName(text: string, start: number): boolean {
  const limit = Math.min(text.length, start + LONGEST_NAME);
  let at = start + 1;
  let next = text.charCodeAt(at);
  while (at < limit && (IN_NAME[next] === 1 || next > 127)) next = text.charCodeAt((at += 1));
  // Most texts are prose, whose first word a blank ends.
  if (next === 40 || next === 91) return lastCode(text) === 41;
  if (isQuote(next)) return at - start <= 2 && lastCode(text) === next;
  if (next !== 61 || text.charCodeAt(at + 1) === 61) return false;
  const last = lastCode(text);
  return (
    isLetter(last) ||
    isDigit(last) ||
    isQuote(last) ||
    last === 41 ||
    last === 93 ||
    last === 125 ||
    last === 62
  );
}

/** False for nearly all texts that are no Python value, by their first word and their last character. */
export function looksLikePython(text: string): boolean {
  let start = 0;
  while (start < text.length && isBlank(text.charCodeAt(start))) start += 1;
  const first = text.charCodeAt(start);
  if (isLetter(first)) return opensWithName(text, start);
  const closing = closingOf(first);
  return closing !== -1 && start < text.length - 1 && lastCode(text) === closing;
}
