import { isCode, isPlaceholderWord } from "./everyday-value.ts";
import type { TextRule, TextSpan } from "./text-rule.ts";

// Each is tried behind the last letter of "password", "passwort" or "kennwort".
const SENTENCE =
  /s?[ \t]{1,3}(?:is|was|are|ist|lautet|war|to be|set to|changed to|reset to)(?: now| jetzt)?:?[ \t\n]{1,3}(["'`]?)(?<secret>[^\s"'`<>]{4,128})/dy;
const CELL = /[ \t*`]{0,24}\|[ \t`]{0,24}(?<secret>[^\s|`]{1,256})[ \t`]{0,64}(?:\||$)/dmy;
const LOGIN_FILE = /[ \t\n]{1,3}(?<secret>\S{1,256})/dy;
const ELEMENT = />[ \t\n]{0,8}(?<secret>[^\s<>][^<>\n]{0,255}?)[ \t\n]{0,8}<\//dy;
const BEFORE_CELL = /\|[ \t*`]{0,8}(?:[A-Za-z]{1,16}[ _-]){0,2}$/;
const BEFORE_LOGIN =
  /(?:^|\s)(?:machine[ \t\n]{1,3}\S{1,128}[ \t\n]{1,3})?login[ \t\n]{1,3}\S{1,128}[ \t\n]{1,3}$/;

function groupAt(pattern: RegExp, text: string, at: number): TextSpan | undefined {
  pattern.lastIndex = at;
  const span = pattern.exec(text)?.indices?.groups?.["secret"];
  return span && { start: span[0], end: span[1] };
}

/** Names of schemes look like passwords too: "the password is Argon2id-hashed". */
const SCHEME = /^(?:argon2|bcrypt|scrypt|pbkdf2|base64|sha-?\d|md5|utf-?8|oauth|aes|rsa|hmac|ntlm|iso)/i;

function classes(text: string): number {
  return [/[a-z]/, /[A-Z]/, /[0-9]/, /[!@#$%^&*+=?~]/].filter((kind) => kind.test(text)).length;
}

/**
 * What a sentence calls a password is one when it mixes letters, digits and signs as prose does not:
 * three kinds of characters, or two of them with a digit among eight characters and more in quotes.
 */
function looksChosen(value: string, quoted: boolean): boolean {
  if (value.length < 6 || isPlaceholderWord(value) || SCHEME.test(value) || isCode(value, "")) return false;
  if (/[a-z]{2,}-[a-z]{2,}/i.test(value) || /^https?:/.test(value)) return false;
  if (classes(value) >= 3) return value.length >= 8 || /[!@#$%^&*+=?~]/.test(value);
  return quoted && /[0-9]/.test(value) && classes(value) === 2 && /[a-z]/i.test(value);
}

function withoutStop(text: string, { start, end }: TextSpan): TextSpan {
  const stop = /[.,;:!?)\]}]{1,4}$/.exec(text.slice(start, end));
  // One closing sign may belong to the sentence; it goes too where it may belong to the password.
  return stop === null || /^[!?]$/.test(stop[0]) ? { start, end } : { start, end: end - stop[0].length };
}

function inSentence(text: string, end: number): TextSpan | undefined {
  const found = groupAt(SENTENCE, text, end);
  if (found === undefined) return undefined;
  const span = withoutStop(text, found);
  const value = text.slice(span.start, span.end);
  const quoted = /["'`]/.test(text.charAt(span.start - 1));
  return looksChosen(value.replace(/[!?]$/, ""), quoted) ? span : undefined;
}

function inCell(text: string, start: number, end: number): TextSpan | undefined {
  const found = groupAt(CELL, text, end);
  if (found === undefined || !BEFORE_CELL.test(text.slice(Math.max(0, start - 48), start))) return undefined;
  const value = text.slice(found.start, found.end);
  // A heading's neighbour is a heading, a type or a word; a value is odd.
  return !isPlaceholderWord(value) && /[0-9!@#$%^&*+=?~]/.test(value) ? found : undefined;
}

/** `<password>...</password>`, `<db-password>`; the name must stand in an opening tag. */
function inElement(text: string, start: number, end: number): TextSpan | undefined {
  if (!/<[A-Za-z_.:-]{0,32}$/.test(text.slice(Math.max(0, start - 33), start))) return undefined;
  const found = groupAt(ELEMENT, text, end);
  if (found === undefined) return undefined;
  const value = text.slice(found.start, found.end);
  // A page's words are no password; a setting's value holds no blank.
  return /\s/.test(value) || isPlaceholderWord(value) ? undefined : found;
}

function inLoginFile(text: string, start: number, end: number): TextSpan | undefined {
  const before = BEFORE_LOGIN.exec(text.slice(Math.max(0, start - 300), start));
  if (before === null) return undefined;
  const found = groupAt(LOGIN_FILE, text, end);
  if (found === undefined) return undefined;
  const value = text.slice(found.start, found.end);
  const sure = before[0].includes("machine") || /[0-9!@#$%^&*+=?~]/.test(value);
  return sure && !isPlaceholderWord(value) ? found : undefined;
}

function findSpokenPassword(text: string, at: number): TextSpan | undefined {
  const start = at - 4;
  const end = at + 4;
  const head = text.slice(Math.max(0, start), at).toLowerCase();
  if (head !== "pass" && head !== "kenn") return undefined;
  const next = text.charCodeAt(end);
  if (next === 62) return inElement(text, start, end);
  if (
    next !== 32 &&
    next !== 9 &&
    next !== 10 &&
    next !== 124 &&
    next !== 42 &&
    next !== 96 &&
    next !== 115
  ) {
    return undefined;
  }
  return inSentence(text, end) ?? inCell(text, start, end) ?? inLoginFile(text, start, end);
}

/**
 * Passwords named without an assignment sign: in a sentence ("the password is ..."), in a table row
 * (`| password | ... |`), in an element (`<password>...</password>`), in a login file (`login bob password ...`). "The password is required" stays.
 */
export const spokenPasswords: readonly TextRule[] = [
  { id: "spoken-password", when: { text: ["word", "wort", "WORD", "WORT"] }, do: findSpokenPassword },
];
