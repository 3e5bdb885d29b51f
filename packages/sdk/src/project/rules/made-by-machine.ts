/**
 * True for a text that a machine made rather than a person wrote: letters and digits mixed, at least
 * `least` characters, or a long run that changes case too often for words.
 */
export function madeByMachine(text: string, least: number): boolean {
  if (text.length < least) return false;
  const letters = /[A-Za-z]/.test(text);
  const digits = /[0-9]/.test(text);
  if (letters && digits) return true;
  return text.length >= 20 && /[a-z][A-Z].*[a-z][A-Z].*[a-z][A-Z]/.test(text.slice(0, 256));
}

/** Shannon entropy of a text's characters, in bits a character; characters are told apart by their low byte. */
export function bitsPerCharacter(text: string): number {
  const counts = new Uint32Array(256);
  for (let i = 0; i < text.length; i += 1) {
    const c = text.charCodeAt(i) & 0xff;
    counts[c] = (counts[c] ?? 0) + 1;
  }
  let bits = 0;
  for (const n of counts) if (n > 0) bits -= (n / text.length) * Math.log2(n / text.length);
  return bits;
}

/**
 * True for words joined by `-` or `_` (a CSS class, a file name), with years or small numbers among
 * them at most: what a random key practically never is.
 */
export function isWordChain(text: string): boolean {
  return text.split(/[-_]/).every((part) => /^(?:[a-z]*|[A-Z]?[a-z]+|\d{1,4})$/.test(part));
}
