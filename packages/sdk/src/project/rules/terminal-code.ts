/* oxlint-disable no-control-regex -- terminal output is full of escapes */
/** Most parameters of one code, `38;5;196`. */
const LONGEST = 20;
const CODE = /(?:\u009b\[?|(?:\u001b|\\{1,4}(?:u001b|x1b|033|e))\[)[0-9;:?]{0,20}[A-Za-z]/iy;
const INTRODUCER = /(?:\u001b|\u009b|\\{1,4}(?:u001b|x1b|033|e))$/i;

function isParameter(code: number): boolean {
  return (code >= 48 && code <= 59) || code === 63;
}

function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

/**
 * Where the terminal control sequence that ends at `end` begins; `end` itself where none does
 * (ECMA-48 CSI: escape, `[`, parameters, one letter). The escape may be written out or lost:
 * `\u001b[32m`, `[32m`.
 */
export function terminalCodeBefore(text: string, end: number): number {
  if (!isLetter(text.charCodeAt(end - 1))) return end;
  let at = end - 2;
  while (at > end - LONGEST && isParameter(text.charCodeAt(at))) at -= 1;
  if (text.charCodeAt(at) !== 91) return end;
  const introducer = INTRODUCER.exec(text.slice(Math.max(0, at - 9), at));
  if (introducer !== null) return at - introducer[0].length;
  return at < end - 2 ? at : end;
}

/** Where the terminal control sequences and blanks from `start` on end. */
export function afterTerminalCodes(text: string, start: number): number {
  let at = start;
  for (let codes = 0; codes < 4; codes += 1) {
    const code = text.charCodeAt(at);
    if (code !== 27 && code !== 0x9b && code !== 92) return at;
    CODE.lastIndex = at;
    const match = CODE.exec(text);
    if (match === null) return at;
    at += match[0].length;
    while (text.charCodeAt(at) === 32) at += 1;
  }
  return at;
}
