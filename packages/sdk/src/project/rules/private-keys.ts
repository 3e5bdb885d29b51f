import type { TextRule, TextSpan } from "./text-rule.ts";

const HEADER = /-----BEGIN [A-Z0-9 ]{0,48}PRIVATE KEY(?: BLOCK)?-----/y;
const BODY = /^(?:[A-Za-z0-9+/=:,.\s-]|\\[nr])*/;
/** Longest distance looked ahead for the closing line; a 16,384-bit RSA key has 12,700 characters. */
const LONGEST_BLOCK = 32_768;

/**
 * A PEM private key from its opening to its closing line. A block that is cut off (no closing line
 * near) goes as far as it looks like key material: half a key is still a secret.
 */
function findPrivateKey(text: string, at: number): TextSpan | undefined {
  HEADER.lastIndex = at;
  const header = HEADER.exec(text);
  if (header === null) return undefined;
  const start = at + header[0].length;
  // Never past the next opening line: a flood of openings must not each search to the end.
  const reopen = text.slice(start, start + LONGEST_BLOCK).indexOf("-----BEGIN ");
  const near = text.slice(start, start + (reopen < 0 ? LONGEST_BLOCK : reopen));
  const close = near.indexOf("-----END ");
  if (close >= 0) {
    const dashes = near.indexOf("-----", close + 9);
    return { start: at, end: start + (dashes < 0 ? close + 9 : dashes + 5) };
  }
  return { start: at, end: start + (BODY.exec(near)?.[0].length ?? 0) };
}

/** Private keys in PEM form: RSA, EC, OpenSSH, PGP, encrypted or not. Certificates and public keys stay. */
export const privateKeys: readonly TextRule[] = [
  { id: "private-key", when: { text: ["-----BEGIN "] }, do: findPrivateKey },
];
