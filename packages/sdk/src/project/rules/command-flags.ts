import { credentialKind } from "./credential-name.ts";
import { isPlaceholderWord } from "./everyday-value.ts";
import { madeByMachine } from "./made-by-machine.ts";
import type { TextRule, TextSpan } from "./text-rule.ts";

const FLAG = /(?<=^|[\s"'`([\\])--([a-zA-Z][a-zA-Z-]{2,40})[ \t]{1,3}["']?(?<secret>[^\s"'\\]{1,512})/dy;
const USER = /(?<=^|[\s"'`])-u[ \t]{1,3}["']?[^\s:"'\\]{1,128}:(?<secret>[^\s"'\\]{1,256})/dy;
/** How far back a web client is looked for: `docker run -u 1000:1000` names no password. */
const COMMAND = 256;

function groupAt(pattern: RegExp, text: string, at: number): { name: string; span: TextSpan } | undefined {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  const span = match?.indices?.groups?.["secret"];
  if (match === null || span === undefined) return undefined;
  return { name: match[1] ?? "", span: { start: span[0], end: span[1] } };
}

function findFlagValue(text: string, at: number): TextSpan | undefined {
  if (text.charCodeAt(at + 1) === 117) {
    const found = groupAt(USER, text, at);
    const client = /\b(?:curl|wget|http|https)\b/.test(text.slice(Math.max(0, at - COMMAND), at));
    return client ? found?.span : undefined;
  }
  const found = /[a-z]/i.test(text.charAt(at + 2)) ? groupAt(FLAG, text, at) : undefined;
  if (found === undefined) return undefined;
  const value = text.slice(found.span.start, found.span.end);
  if (isPlaceholderWord(value) || value.startsWith("-")) return undefined;
  const kind = credentialKind(found.name);
  if (kind === "password" || kind === "machine") return found.span;
  return kind === "ambiguous" && madeByMachine(value, 8) ? found.span : undefined;
}

/** Credentials handed to a command: `--password x`, `--api-key x`, `curl -u user:password`. */
export const commandFlags: readonly TextRule[] = [
  { id: "command-flag", when: { text: ["--", "-u "] }, do: findFlagValue },
];
