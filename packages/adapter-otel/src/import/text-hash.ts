/** A hash of 32 bits (FNV-1a, mixed). Nothing depends on it but which records lie together. */
export function textHash(text: string, seed = 0): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  return hash >>> 0;
}

/** A hash of 48 bits and never 0, exact as a double. */
export function wideHash(text: string): number {
  return textHash(text, 1) * 0x10000 + (textHash(text, 2) & 0xffff) + 1;
}
