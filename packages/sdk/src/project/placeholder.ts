import type { TextSpan } from "./rules/index.ts";

const PLACEHOLDER = /\[SECRET:([a-z0-9-]{1,40}):(\d{1,9})\]/g;

/** A placeholder that already stands in a text. */
export interface StandingPlaceholder extends TextSpan {
  readonly rule: string;
  readonly number: number;
}

/**
 * Placeholders in a text, in order. Only ids of known rules count: a secret cannot hide by dressing
 * up as one.
 */
export function standingPlaceholders(text: string, ruleIds: ReadonlySet<string>): StandingPlaceholder[] {
  const found: StandingPlaceholder[] = [];
  if (!text.includes("[SECRET:")) return found;
  for (const match of text.matchAll(PLACEHOLDER)) {
    const [whole, rule = "", number = "0"] = match;
    if (!ruleIds.has(rule)) continue;
    found.push({ start: match.index, end: match.index + whole.length, rule, number: Number(number) });
  }
  return found;
}

/** True for a text that is one placeholder and nothing else. */
export function isPlaceholder(text: string, ruleIds: ReadonlySet<string>): boolean {
  const [first] = standingPlaceholders(text, ruleIds);
  return first?.start === 0 && first.end === text.length;
}
