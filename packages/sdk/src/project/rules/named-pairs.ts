import { credentialKind } from "./credential-name.ts";
import { isPlaceholderWord } from "./everyday-value.ts";
import { madeByMachine } from "./made-by-machine.ts";
import type { TextRule, TextSpan } from "./text-rule.ts";

const NAME =
  /(?:^|[\s{,"'-])(?:name|key)["']?[ \t]{0,4}:[ \t]{0,4}["']?([A-Za-z][\w.-]{2,64})["']?[ \t]{0,4},?\s{0,40}["']?value["']?[ \t]{0,4}$/;
const VALUE = /:[ \t]{1,4}(["']?)(?<secret>[^\s"'{}<>]{1,2048})/dy;
const ENCODED_NAME = /^(?:%[0-9A-Fa-f]{2}|u00[0-9a-f]{2})?([A-Za-z_][\w.-]{2,64})$/;
const ENCODED_VALUE =
  /(?:%3[ADad]|\\{1,4}u003[ADad])(?:%20|%22|\+|[ \t]){0,3}(?:(?:Bearer|Basic|Token)(?:%20|\+| ))?(?<secret>(?:[A-Za-z0-9_.~+/=!@$*:-]|%(?:2[BbFf]|3[Dd])){1,512})/dy;

function groupAt(pattern: RegExp, text: string, at: number): TextSpan | undefined {
  pattern.lastIndex = at;
  const span = pattern.exec(text)?.indices?.groups?.["secret"];
  return span && { start: span[0], end: span[1] };
}

function holdsSecret(name: string, value: string): boolean {
  const kind = credentialKind(name);
  if (kind === undefined || isPlaceholderWord(value)) return false;
  if (kind === "password" || kind === "machine") return true;
  return madeByMachine(value, kind === "weak" ? 24 : 8);
}

/** `name: API_KEY` and, in the line below, `value: ...`, as containers and forms are described. */
function findPairedValue(text: string, at: number): TextSpan | undefined {
  const before = text.charCodeAt(at - 1);
  if (before !== 101 && before !== 34 && before !== 39) return undefined;
  if (!/value["']?$/.test(text.slice(Math.max(0, at - 6), at))) return undefined;
  const name = NAME.exec(text.slice(Math.max(0, at - 160), at))?.[1];
  const found = name === undefined ? undefined : groupAt(VALUE, text, at);
  if (name === undefined || found === undefined) return undefined;
  return holdsSecret(name, text.slice(found.start, found.end)) ? found : undefined;
}

function isNameCharacter(code: number): boolean {
  const letter = code | 32;
  return (
    (letter >= 97 && letter <= 122) || (code >= 48 && code <= 57) || code === 95 || code === 45 || code === 46
  );
}

/** The name before an encoded sign; an escape may close it (`%22`) and open it (`%3Ftoken`). */
function encodedNameBefore(text: string, at: number): string | undefined {
  let end = at;
  while (end > at - 6 && (text.startsWith("%22", end - 3) || text.startsWith("%20", end - 3))) end -= 3;
  let start = end;
  while (start > end - 70 && isNameCharacter(text.charCodeAt(start - 1))) start -= 1;
  if (end - start < 3) return undefined;
  const isEscaped = text.charCodeAt(start - 1) === 37;
  return ENCODED_NAME.exec(text.slice(isEscaped ? start - 1 : start, end))?.[1];
}

/** An assignment whose sign is written as an escape: `Authorization%3A%20Bearer%20...`, `token\u003d...`. */
function findEncodedValue(text: string, at: number): TextSpan | undefined {
  const name = encodedNameBefore(text, at);
  if (name === undefined || credentialKind(name) === undefined) return undefined;
  const found = groupAt(ENCODED_VALUE, text, at);
  return found !== undefined && holdsSecret(name, text.slice(found.start, found.end)) ? found : undefined;
}

/** Secrets whose name and sign are not side by side in plain: paired fields and encoded assignments. */
export const namedPairs: readonly TextRule[] = [
  { id: "paired-value", when: { text: [":"] }, do: findPairedValue },
  {
    id: "encoded-assignment",
    when: { text: ["%3A", "%3D", "%3a", "%3d", "\\u003d", "\\u003D", "\\u003a", "\\u003A"] },
    do: findEncodedValue,
  },
];
