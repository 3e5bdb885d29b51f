import { credentialKind } from "./credential-name.ts";
import { terminalCodeBefore } from "./terminal-code.ts";

/** The name that stands before an assignment sign. */
export interface NameBefore {
  readonly text: string;
  /** A space stands between name and sign. */
  readonly spaced: boolean;
  /** It is a parameter of a URL or form: `?name=` or `&name=`. */
  readonly inQuery: boolean;
}

const LONGEST = 64;
const IN_NAME = new Uint8Array(0x1_00_00);
for (const c of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.") {
  IN_NAME[c.charCodeAt(0)] = 1;
}

function pack(ending: string): number {
  return (ending.charCodeAt(0) << 16) | (ending.charCodeAt(1) << 8) | ending.charCodeAt(2);
}

/** Last three letters of every credential name: most signs follow another word and end here. */
const ENDINGS = new Set(
  "ord swd pwd ase ode key yid ret ets ken ing ash url pat uth ion rer ial als eds kie ies jwt otp pin ode cvv _id -id sig ure ass nce nid sid ort ata"
    .split(" ")
    .map(pack),
);

function isSpace(code: number): boolean {
  return code === 32 || code === 9;
}

/** Closing quotes, escapes and brackets between a name and its sign: `"name"`, `\"name\"`, `env["NAME"]`. */
function isWrapping(code: number): boolean {
  return code === 34 || code === 39 || code === 92 || code === 93 || code === 96 || code === 42;
}

/** Colours end in `m`; most names that do are no credential's either, so this costs next to nothing. */
function isEndOfCode(text: string, end: number): boolean {
  return text.charCodeAt(end - 1) === 109;
}

/** A name in colour: the codes between it and its sign are none of its letters. */
function beforeTerminalCodes(text: string, end: number): number {
  let at = end;
  for (let codes = 0; codes < 4; codes += 1) at = terminalCodeBefore(text, at);
  return at;
}

/** Finds the name before the sign at `at`, if it can be one of a credential. */
export function nameBefore(text: string, at: number): NameBefore | undefined {
  let end = at;
  const nearest = Math.max(0, at - 12);
  while (end > nearest && isSpace(text.charCodeAt(end - 1))) end -= 1;
  const spaced = end < at;
  if (isEndOfCode(text, end)) end = beforeTerminalCodes(text, end);
  const wrapped = Math.max(0, end - 12);
  while (end > wrapped && isWrapping(text.charCodeAt(end - 1))) end -= 1;
  if (end < 3) return undefined;
  const last = text.charCodeAt(end - 1) | 32;
  const ending = ((text.charCodeAt(end - 3) | 32) << 16) | ((text.charCodeAt(end - 2) | 32) << 8) | last;
  if (!ENDINGS.has(ending)) return undefined;
  let start = end;
  const furthest = Math.max(0, end - LONGEST);
  while (start > furthest && IN_NAME[text.charCodeAt(start - 1)] === 1) start -= 1;
  // `[32mtoken`: the letter that ends a colour is no part of the name.
  start = afterCode(text, start, end);
  if (start === end) return undefined;
  const before = text.charCodeAt(start - 1);
  const inQuery = before === 63 || before === 38;
  const name = text.slice(start, end);
  return { text: isSpace(before) ? withWordBefore(text, start, name) : name, spaced, inQuery };
}

function afterCode(text: string, start: number, end: number): number {
  if (text.charCodeAt(start - 1) !== 91 && text.charCodeAt(start - 1) !== 59) return start;
  let at = start;
  while (at < end && text.charCodeAt(at) >= 48 && text.charCodeAt(at) <= 57) at += 1;
  return at > start && text.charCodeAt(at) === 109 ? at + 1 : start;
}

/** "API key" and "access token" are written with a space too; "the secret" is no better known for its article. */
function withWordBefore(text: string, start: number, name: string): string {
  const word = /[A-Za-z]{2,16}$/.exec(text.slice(Math.max(0, start - 18), start - 1));
  if (word === null) return name;
  const both = `${word[0]}_${name}`;
  return credentialKind(both) === "machine" ? both : name;
}
