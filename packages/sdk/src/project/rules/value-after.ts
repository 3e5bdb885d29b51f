/* oxlint-disable no-control-regex -- terminal output is full of escapes */
import type { NameBefore } from "./name-before.ts";
import { afterTerminalCodes } from "./terminal-code.ts";

/** What stands after an assignment sign, at [start, end). */
export interface ValueAfter {
  /** Its first characters, at most 64: enough to judge it by, so that a value that is none costs little. */
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
  /** It goes on after `end`; {@link wholeValueEnd} tells how far. */
  readonly cut: boolean;
  /** It is a cookie header's `name=value; ...`. */
  readonly cookie: boolean;
  /** The character after it. */
  readonly next: string;
}

const LONGEST = 4096;
/** Characters a value is judged by. Text may hold a sign every other character: each look must be short. */
const HEAD = 64;
// A second sign (`==`, `=>`, `:=`) and then blanks; the closing `=` of `:=` is not a sign of its own.
const GAP = /[:=]{1,2}>?[ \t]{0,4}/y;
const OPENING = /[fFbBrRuU]{0,2}(\\{0,7})(["'`])/y;
const SCHEME = /(?:Bearer|Basic|Token|Digest|ApiKey|Api-Key|Key|Bot|Negotiate|GoogleLogin|SSWS)[ \t]{1,3}/iy;
const BARE = /[^\s\u001b"'`&;,<>|\\]{1,64}/y;
const BARE_REST = /[^\s\u001b"'`&;,<>|\\]{0,4032}/y;
const COOKIE = /[\w.-]{1,64}=[^\r\n\u001b"'`\\]{1,64}/y;
const COOKIE_REST = /[^\r\n\u001b"'`\\]{0,4032}/y;
const LINE_END = /[ \t]{0,8}(?:$|[\r\n\u001b]|\\[rn])/y;

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

/** A quote, a backslash before one, or a letter of a Python string's prefix. */
function mayOpen(code: number): boolean {
  const letter = code | 32;
  if (code === 34 || code === 39 || code === 96 || code === 92) return true;
  return letter === 102 || letter === 98 || letter === 114 || letter === 117;
}

function isHeader(name: string): boolean {
  return /auth|cookie|bearer|token/i.test(name);
}

function isCookie(name: string): boolean {
  return /cookie/i.test(name);
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** End of a quoted value: the same quote, escaped no more often than the opening one. */
function quotedEnd(text: string, from: number, quote: string, escapes: number): number | undefined {
  const limit = Math.min(text.length, from + LONGEST);
  const closing = quote.charCodeAt(0);
  for (let i = from; i < limit; i += 1) {
    const c = text.charCodeAt(i);
    if (c === 10) return undefined;
    if (c !== closing) continue;
    let slashes = 0;
    while (text.charCodeAt(i - slashes - 1) === 92 && i - slashes > from) slashes += 1;
    if (slashes <= escapes) return i - slashes;
  }
  return undefined;
}

const CLOSING = ".,:!?)]}";

/** Where a bare value ends without the punctuation that closes the sentence or the call around it. */
function withoutClosing(text: string, start: number, end: number): number {
  let last = end;
  while (last > start && end - last < 8 && CLOSING.includes(text.charAt(last - 1))) last -= 1;
  return last;
}

/** Reads the value after the sign at `at`. */
export function valueAfter(text: string, at: number, name: NameBefore): ValueAfter | undefined {
  const gap = matchAt(GAP, text, at);
  if (gap === null) return undefined;
  const sign = text.charAt(at);
  let start = at + gap[0].length;
  const spaced = isBlank(text.charCodeAt(start - 1));
  start = afterTerminalCodes(text, start);
  const opening = mayOpen(text.charCodeAt(start)) ? matchAt(OPENING, text, start) : null;
  if (opening !== null) start += opening[0].length;
  const scheme = isHeader(name.text) ? matchAt(SCHEME, text, start) : null;
  if (scheme !== null) start += scheme[0].length;
  const facts = { start, sign, spaced, scheme: scheme !== null };
  const mayBeCookie = isCookie(name.text);
  if (opening !== null) {
    const end = quotedEnd(text, start, opening[2] ?? '"', opening[1]?.length ?? 0);
    if (end !== undefined) {
      const value = text.slice(start, Math.min(end, start + HEAD));
      const cookie = mayBeCookie && /^[\w.-]{1,64}=/.test(value);
      const next = text.charAt(end);
      return { ...facts, text: value, end, quoted: true, endsLine: false, cut: false, cookie, next };
    }
  }
  const cookie = mayBeCookie ? matchAt(COOKIE, text, start) : null;
  const bare = cookie ?? matchAt(BARE, text, start);
  if (bare === null) return undefined;
  const cut = bare[0].length >= HEAD;
  const reach = start + bare[0].length;
  const end = cut || cookie !== null ? reach : withoutClosing(text, start, reach);
  return {
    ...facts,
    text: text.slice(start, end),
    end,
    quoted: false,
    endsLine: !cut && matchAt(LINE_END, text, end) !== null,
    cut,
    cookie: cookie !== null,
    next: text.charAt(end),
  };
}

/** Where a value really ends; read only for one that is a secret. */
export function wholeValueEnd(text: string, value: ValueAfter): number {
  if (!value.cut) return value.end;
  const rest = matchAt(value.cookie ? COOKIE_REST : BARE_REST, text, value.end);
  const end = value.end + (rest?.[0].length ?? 0);
  return value.cookie ? end : withoutClosing(text, value.start, end);
}
