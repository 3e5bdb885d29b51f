const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Follows JSON text byte by byte just closely enough to know how deep it is nested and whether a
 * string is open. It does not validate.
 */
export class JsonScanner {
  depth = 0;
  inString = false;
  #escaped = false;

  /** Takes one byte in. Returns the change of depth: 1, 0 or -1. */
  step(byte: number): number {
    if (this.inString) {
      if (this.#escaped) this.#escaped = false;
      else if (byte === BACKSLASH) this.#escaped = true;
      else if (byte === QUOTE) this.inString = false;
      return 0;
    }
    if (byte === QUOTE) this.inString = true;
    else if (byte === 0x7b || byte === 0x5b) {
      this.depth++;
      return 1;
    } else if (byte === 0x7d || byte === 0x5d) {
      this.depth--;
      return -1;
    }
    return 0;
  }
}

/** True for a space, tab, line feed or carriage return. */
export function isJsonSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
