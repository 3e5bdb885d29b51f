import type { NameBefore } from "./name-before.ts";

/** What stands after an assignment sign, at [start, end). */
export interface ValueAfter {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly sign: string;
  readonly quoted: boolean;
  /** A space stands between sign and value. */
  readonly spaced: boolean;
  /** Nothing else follows on its line. */
  readonly endsLine: boolean;
  /** An authentication scheme stood before it: `Bearer`, `Basic`. */
  readonly scheme: boolean;
  /** It is a cookie header's `name=value; ...`. */
  readonly cookie: boolean;
  /** The character after it. */
  readonly next: string;
}

const LONGEST = 4096;
// A second sign (`==`, `=>`, `:=`) and then blanks; the closing `=` of `:=` is not a sign of its own.
const GAP = /[:=]{1,2}>?[ \t]{0,4}/y;
const OPENING = /[fFbBrRuU]{0,2}(\\{0,7})(["'`])/y;
const SCHEME = /(?:Bearer|Basic|Token|Digest|ApiKey|Api-Key|Key|Bot|Negotiate|GoogleLogin|SSWS)[ \t]{1,3}/iy;
const BARE = /[^\s"'`&;,<>|\\]{1,4096}/y;
const COOKIE = /[\w.-]{1,64}=[^\r\n"'`\\]{1,4096}/y;
const LINE_END = /[ \t]{0,8}(?:$|[\r\n]|\\[rn])/y;

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** End of a quoted value: the same quote, escaped no more often than the opening one. */
function quotedEnd(text: string, from: number, quote: string, escapes: number): number | undefined {
  const limit = Math.min(text.length, from + LONGEST);
  for (let i = from; i < limit; i += 1) {
    const c = text.charAt(i);
    if (c === "\n") return undefined;
    if (c !== quote) continue;
    let slashes = 0;
    while (text.charCodeAt(i - slashes - 1) === 92 && i - slashes > from) slashes += 1;
    if (slashes <= escapes) return i - slashes;
  }
  return undefined;
}

/** Punctuation that closes the sentence or the call around a bare value. */
function trimmed(bare: string): string {
  return bare.replace(/[.,:!?)\]}]{1,8}$/, "");
}

/** Reads the value after the sign at `at`. */
export function valueAfter(text: string, at: number, name: NameBefore): ValueAfter | undefined {
  const gap = matchAt(GAP, text, at);
  if (gap === null) return undefined;
  const sign = text.charAt(at);
  let start = at + gap[0].length;
  const spaced = /[ \t]$/.test(gap[0]);
  const opening = matchAt(OPENING, text, start);
  if (opening !== null) start += opening[0].length;
  const isHeader = /auth|cookie|bearer|token/i.test(name.text);
  const scheme = isHeader ? matchAt(SCHEME, text, start) : null;
  if (scheme !== null) start += scheme[0].length;
  const facts = { start, sign, spaced, scheme: scheme !== null, cookie: false };
  if (opening !== null) {
    const end = quotedEnd(text, start, opening[2] ?? '"', opening[1]?.length ?? 0);
    if (end !== undefined) {
      const value = text.slice(start, end);
      const cookie = /cookie/i.test(name.text) && /^[\w.-]{1,64}=/.test(value);
      return { ...facts, text: value, end, quoted: true, endsLine: false, cookie, next: text.charAt(end) };
    }
  }
  const cookie = /cookie/i.test(name.text) ? matchAt(COOKIE, text, start) : null;
  const bare = cookie ?? matchAt(BARE, text, start);
  if (bare === null) return undefined;
  const value = cookie === null ? trimmed(bare[0]) : bare[0];
  const end = start + value.length;
  const endsLine = matchAt(LINE_END, text, end) !== null;
  return {
    ...facts,
    text: value,
    end,
    quoted: false,
    endsLine,
    cookie: cookie !== null,
    next: text.charAt(end),
  };
}
