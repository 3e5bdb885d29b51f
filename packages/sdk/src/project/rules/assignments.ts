import { credentialKind, type CredentialKind } from "./credential-name.ts";
import { isCode, isExplained, isPlaceholderWord } from "./everyday-value.ts";
import { bitsPerCharacter, madeByMachine } from "./made-by-machine.ts";
import { nameBefore, type NameBefore } from "./name-before.ts";
import { valueAfter, wholeValueEnd, type ValueAfter } from "./value-after.ts";
import type { TextRule, TextSpan } from "./text-rule.ts";

/** Hexadecimal digests are evidence (a cache key, a commit) more often than keys. */
function isHighlyRandom(text: string): boolean {
  if (text.length < 20) return false;
  const mixed = /[0-9]/.test(text) && /[A-Z]/.test(text) && /[a-z]/.test(text);
  return mixed && !/^[0-9a-fA-F-]+$/.test(text) && !/\s/.test(text) && bitsPerCharacter(text) >= 3.5;
}

function hasOddCharacter(text: string): boolean {
  return /[0-9!@#$%^&*+=~_]/.test(text);
}

/** A value a person may have chosen: believed when quoted, set tightly, odd, or alone on its line. */
function isPassword(value: ValueAfter, tight: boolean): boolean {
  const { text } = value;
  if (value.quoted) return !/\s.*\s/.test(text) || hasOddCharacter(text);
  if (tight && !value.spaced) return true;
  if (text.length >= 4 && hasOddCharacter(text)) return true;
  return value.sign === ":" && value.endsLine && text.length >= 4;
}

function isMachineKey(value: ValueAfter, tight: boolean): boolean {
  const { text } = value;
  if (/\s/.test(text)) return false;
  if (value.quoted) return text.length >= 4;
  if (tight && !value.spaced) return madeByMachine(text, 6) || text.length >= 12;
  return (
    madeByMachine(text, 8) || text.length >= 24 || (value.endsLine && value.sign === ":" && text.length >= 8)
  );
}

function isAmbiguousKey(name: NameBefore, value: ValueAfter): boolean {
  const { text } = value;
  if (value.scheme) return text.length >= 4;
  if (/\s/.test(text)) return value.cookie;
  if (name.inQuery) return madeByMachine(text, 8) || text.length >= 16;
  if (value.quoted && /secret/i.test(name.text)) return text.length >= 6;
  return value.cookie || madeByMachine(text, value.quoted ? 8 : 12);
}

function isSecret(kind: CredentialKind, name: NameBefore, value: ValueAfter): boolean {
  const { text } = value;
  // Most of what follows an everyday word is prose, and text may repeat it endlessly: the cheapest test first.
  const mustBeMade =
    (kind === "ambiguous" || kind === "weak") && !value.quoted && !value.scheme && !value.cookie;
  if (mustBeMade && !/[0-9]/.test(text) && text.length < 16) return false;
  if (text === "" || isPlaceholderWord(text) || text.toLowerCase() === name.text.toLowerCase()) return false;
  if (isExplained(name.text, text)) return false;
  if (!value.quoted && !value.scheme && isCode(text, value.next)) return false;
  if (kind === "password") return isPassword(value, !name.spaced);
  if (kind === "machine") return isMachineKey(value, !name.spaced);
  if (kind === "ambiguous") return isAmbiguousKey(name, value);
  return name.inQuery ? madeByMachine(text, 16) : isHighlyRandom(text);
}

function findAssignedSecret(text: string, at: number): TextSpan | undefined {
  const name = nameBefore(text, at);
  if (name === undefined) return undefined;
  const kind = credentialKind(name.text);
  if (kind === undefined) return undefined;
  const value = valueAfter(text, at, name);
  if (value === undefined || !isSecret(kind, name, value)) return undefined;
  return { start: value.start, end: wholeValueEnd(text, value) };
}

/**
 * Secrets by the name they are assigned to: `password=...`, `"api_key": "..."`, `TOKEN => '...'`,
 * `Authorization: Bearer ...`, `?sig=...`, also where quotes are escaped. The name decides how much
 * the value must look like a secret, so that "password: required" and "token: insulin" stay.
 */
export const assignments: readonly TextRule[] = [
  { id: "assignment", when: { text: ["=", ":"] }, do: findAssignedSecret },
];
