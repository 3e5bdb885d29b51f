import { credentialKind } from "./credential-name.ts";
import { isPlaceholderWord } from "./everyday-value.ts";
import { madeByMachine } from "./made-by-machine.ts";
import type { TextRule, TextSpan } from "./text-rule.ts";

const FLAG = /(?<=^|[\s"'`([\\])--([a-zA-Z][a-zA-Z-]{2,40})[ \t]{1,3}["']?(?<secret>[^\s"'\\]{1,512})/dy;
const USER = /(?<=^|[\s"'`])-u[ \t]{1,3}["']?[^\s:"'\\]{1,128}:(?<secret>[^\s"'\\]{1,256})/dy;
const SHORT = /(?<=[\s"'`])-p[ \t]{0,3}["']?(?<secret>[^\s"'\\]{1,256})/dy;
/** How far back a web client is looked for: `docker run -u 1000:1000` names no password. */
const COMMAND = 256;

function groupAt(pattern: RegExp, text: string, at: number): { name: string; span: TextSpan } | undefined {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  const span = match?.indices?.groups?.["secret"];
  if (match === null || span === undefined) return undefined;
  return { name: match[1] ?? "", span: { start: span[0], end: span[1] } };
}

/** `mysql -pX` (never a blank between) and `sshpass -p X`; to other commands `-p` is a port or a path. */
function findShortPassword(text: string, at: number): TextSpan | undefined {
  const before = text.charCodeAt(at - 1);
  if (before !== 32 && before !== 9) return undefined;
  const line = text.slice(Math.max(0, at - COMMAND), at);
  const client = /\b(sshpass|mysql\w{0,12}|mariadb[\w-]{0,12})[ \t][^\r\n|;&]*$/.exec(line);
  if (client === null) return undefined;
  const found = groupAt(SHORT, text, at);
  if (found === undefined) return undefined;
  const spaced = isBlank(text.charCodeAt(at + 2));
  if (spaced && client[1] !== "sshpass") return undefined;
  return isPlaceholderWord(text.slice(found.span.start, found.span.end)) ? undefined : found.span;
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

function findFlagValue(text: string, at: number): TextSpan | undefined {
  if (text.charCodeAt(at + 1) === 112) return findShortPassword(text, at);
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

/** Credentials handed to a command: `--password x`, `--api-key x`, `curl -u user:password`, `mysql -px`. */
export const commandFlags: readonly TextRule[] = [
  { id: "command-flag", when: { text: ["--", "-u ", "-p"] }, do: findFlagValue },
];
