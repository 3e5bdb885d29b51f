import type { ProjectionPass } from "./projection-pass.ts";
import { redactText } from "./redact-text.ts";

/** Texts inside texts that are still read; what is nested deeper goes. */
const MOST_LEVELS = 3;
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
  let end = text.length - 1;
  while (end > start && isBlank(text.charCodeAt(end))) end -= 1;
  if (end <= start) return false;
  const open = text.charAt(start);
  const close = text.charAt(end);
  return (
    (open === "{" && close === "}") || (open === "[" && close === "]") || (open === '"' && close === '"')
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Projects a text that is JSON as the value it holds; gives it back unchanged when nothing was found. */
function redactJson(text: string, pass: ProjectionPass, level: number): string {
  const value = parsed(text);
  if (value === undefined) return text;
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
  const wellFormed = withoutLoneSurrogates(text, pass);
  const decoded = looksLikeJson(wellFormed) ? redactJson(wellFormed, pass, level) : wellFormed;
  // Also over JSON that was read: a key given twice, or a number rule, is only seen in the text.
  return redactText(decoded, pass);
}

/**
 * A text, or key, as an evaluator may see it: well-formed, JSON in it projected to three levels,
 * bytes described, secrets replaced. `level` counts the texts around it.
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
