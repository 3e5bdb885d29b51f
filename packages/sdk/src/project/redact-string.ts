import { readPython } from "../python-literal/index.ts";
import type { ProjectionPass } from "./projection-pass.ts";
import { redactText } from "./redact-text.ts";

/** Texts inside texts that are still read; what is nested deeper goes. */
const MOST_LEVELS = 3;
/** Times a text is read again after something was cut out of it. */
const MOST_ROUNDS = 4;
/** Shortest text worth remembering in a session. */
const SHORTEST_REMEMBERED = 256;
/** In a text shorter than this, only a rule that starts at a sign can find anything. */
const SHORT = 14;

/** ES2024; every runtime the package supports has it. */
interface WellFormed {
  isWellFormed(): boolean;
}

function withoutLoneSurrogates(text: string, pass: ProjectionPass): string {
  if ((text as string & WellFormed).isWellFormed()) return text;
  let lone = 0;
  const wellFormed = text.replace(/\p{Surrogate}/gu, () => {
    lone += 1;
    return "\uFFFD";
  });
  pass.tally.count("lone-surrogate", lone);
  return wellFormed;
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

/** True when a text opens and closes as a JSON object, array or string does. */
function looksLikeJson(text: string): boolean {
  let start = 0;
  while (start < text.length && isBlank(text.charCodeAt(start))) start += 1;
  const open = text.charCodeAt(start);
  // `"`, `[`, `{`
  if (open !== 34 && open !== 91 && open !== 123) return false;
  let end = text.length - 1;
  while (end > start && isBlank(text.charCodeAt(end))) end -= 1;
  // `]` and `}` stand two behind.
  return end > start && text.charCodeAt(end) === (open === 34 ? open : open + 2);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Projects a text that Python printed as the value it holds. Read where JSON is none: what both read, such
 * as `[1, 2]`, is JSON.
 */
function redactPython(text: string, pass: ProjectionPass, level: number): string {
  const python = readPython(text, pass.policy.maxDepth, pass.policy.maxValues);
  if (python === undefined) return text;
  if (python === "too many") return pass.tally.fail("budget");
  // `(Smith, 2020)` can hide nothing, however deep it stands.
  if (level >= MOST_LEVELS) return python.holdsText ? pass.tally.fail("depth") : text;
  return pass.projectPython(python.root, text, level + 1);
}

/** Projects a text that is JSON or Python as the value it holds; gives it back unchanged when nothing was found. */
function redactValue(text: string, pass: ProjectionPass, level: number): string {
  const value = looksLikeJson(text) ? parsed(text) : undefined;
  if (value === undefined) return redactPython(text, pass, level);
  if (level >= MOST_LEVELS) return pass.tally.fail("depth");
  const before = pass.tally.total;
  const projected = pass.projectParsed(value, level + 1);
  return pass.tally.total === before ? text : JSON.stringify(projected);
}

function isPlain(text: string): boolean {
  if (text.length >= SHORT) return false;
  for (let i = 0; i < text.length; i += 1) {
    const c = text.charCodeAt(i);
    // `=`, `:`, `-`, `{`, `[`, `"`, `%`, `\`, and anything that may be half a surrogate pair.
    if (c === 61 || c === 58 || c === 45 || c === 123 || c === 91 || c === 34 || c > 0xd7ff) return false;
    if (c === 37 || c === 92) return false;
  }
  return true;
}

function redacted(text: string, pass: ProjectionPass, level: number): string {
  if (!pass.tally.spend(text.length)) return pass.tally.fail("budget");
  let current = redactValue(withoutLoneSurrogates(text, pass), pass, level);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    // Also over a value that was read: a key given twice, or a number rule, is only seen in the text.
    const next = redactText(current, pass);
    if (next === current) break;
    // Without a secret that held a quote, a text can be a value that it was not before.
    current = redactValue(next, pass, level);
    if (current === next) break;
  }
  return current;
}

/**
 * A text, or key, as an evaluator may see it: well-formed, a text that is JSON or a Python literal
 * projected to three levels, bytes described, secrets replaced. `level` counts the texts around it.
 */
export function redactString(text: string, pass: ProjectionPass, level: number): string {
  if (pass.policy.builtInTextRules && isPlain(text)) return text;
  if (level > 0 || text.length < SHORTEST_REMEMBERED) return redacted(text, pass, level);
  const known = pass.session.recall(pass.policy, text);
  if (known !== undefined) {
    for (const [rule, times] of known.hits) pass.tally.count(rule, times);
    return known.value;
  }
  const before = new Map(pass.tally.hits);
  const value = redacted(text, pass, level);
  const hits = new Map<string, number>();
  for (const [rule, times] of pass.tally.hits) {
    const more = times - (before.get(rule) ?? 0);
    if (more > 0) hits.set(rule, more);
  }
  if (!hits.has("removed-budget")) pass.session.remember(pass.policy, text, { value, hits });
  return value;
}

/** True where {@link redactString} would leave a text as it is. The session does not remember the text. */
export function isLeft(text: string, pass: ProjectionPass): boolean {
  if (pass.policy.builtInTextRules && isPlain(text)) return true;
  return redacted(text, pass, 0) === text && pass.tally.hits.size === 0;
}
