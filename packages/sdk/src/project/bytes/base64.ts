const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUE_OF = new Int8Array(128).fill(-1);
for (let i = 0; i < 64; i += 1) VALUE_OF[DIGITS.charCodeAt(i)] = i;
// base64url spells the last two differently; both spellings are read.
VALUE_OF["-".charCodeAt(0)] = 62;
VALUE_OF["_".charCodeAt(0)] = 63;

/**
 * Bytes of a base64 or base64url text. Characters outside the alphabet (line breaks, padding) are
 * skipped, as decoders do; an incomplete last group gives its whole bytes only.
 */
export function decodeBase64(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((text.length * 3) / 4));
  let length = 0;
  let buffer = 0;
  let bits = 0;
  for (let i = 0; i < text.length; i += 1) {
    const value = VALUE_OF[text.charCodeAt(i)] ?? -1;
    if (value < 0) continue;
    buffer = ((buffer << 6) | value) & 0xffffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[length] = (buffer >> bits) & 0xff;
      length += 1;
    }
  }
  return bytes.subarray(0, length);
}
