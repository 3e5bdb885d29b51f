import type { ReadyRule, RuleEngine } from "./rule-engine.ts";
import type { TextSpan } from "./rules/index.ts";

/** A secret in a text, found by the rule of that rank. */
export interface FoundSecret extends TextSpan {
  readonly id: string;
  readonly rank: number;
}

/** Shortest unbroken run of token characters worth a look; words of prose are shorter. */
const SHORTEST_RUN = 16;
/** How far before a run a token's literal may begin (`Bearer `). */
const BEFORE_RUN = 8;

const IN_RUN = new Uint8Array(128);
for (const c of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") {
  IN_RUN[c.charCodeAt(0)] = 1;
}

/** One text and what was found in it so far. */
class Search {
  readonly found: FoundSecret[] = [];
  readonly #text: string;
  /** Where each rule's last find ends: inside it the rule is not tried again, which keeps work linear. */
  readonly #until: number[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  tryAt(rule: ReadyRule, at: number): void {
    if (at < (this.#until[rule.rank] ?? 0)) return;
    const span = rule.pattern === undefined ? this.#ask(rule, at) : this.#match(rule, rule.pattern, at);
    if (span !== undefined) this.#add(rule, span);
  }

  tryEverywhere(rule: ReadyRule): void {
    if (rule.pattern === undefined) {
      this.tryAt(rule, 0);
      return;
    }
    for (const match of this.#text.matchAll(rule.pattern)) {
      const span = this.#checked(rule, match);
      if (span !== undefined) this.#add(rule, span);
    }
  }

  #ask(rule: ReadyRule, at: number): TextSpan | undefined {
    return typeof rule.rule.do === "function" ? rule.rule.do(this.#text, at) : undefined;
  }

  #match(rule: ReadyRule, pattern: RegExp, at: number): TextSpan | undefined {
    pattern.lastIndex = at;
    const match = pattern.exec(this.#text);
    return match === null ? undefined : this.#checked(rule, match);
  }

  #checked(rule: ReadyRule, match: RegExpExecArray): TextSpan | undefined {
    const indices = match.indices?.groups?.["secret"] ?? match.indices?.[0];
    if (indices === undefined) return undefined;
    const [start, end] = indices;
    const fits = rule.rule.check === undefined || rule.rule.check(this.#text.slice(start, end));
    return fits ? { start, end } : undefined;
  }

  #add(rule: ReadyRule, { start, end }: TextSpan): void {
    if (!(start < end)) return;
    this.found.push({ start, end, id: rule.id, rank: rule.rank });
    this.#until[rule.rank] = Math.max(end, this.#until[rule.rank] ?? 0);
  }
}

function searchRun(text: string, from: number, end: number, engine: RuleEngine, search: Search): void {
  const tokens = engine.tokens;
  if (tokens === undefined) return;
  const part = text.slice(from, end);
  tokens.lastIndex = 0;
  for (let hit = tokens.exec(part); hit !== null; hit = tokens.exec(part)) {
    const at = from + hit.index;
    for (const rule of engine.byToken.get(hit[0]) ?? []) search.tryAt(rule, at);
  }
}

/**
 * Long unbroken runs. Looks at the last character a run from here would need, and walks back only
 * from there, so prose is passed over in strides.
 */
function searchRuns(text: string, engine: RuleEngine, search: Search): void {
  let start = 0;
  while (start + SHORTEST_RUN <= text.length) {
    let last = start + SHORTEST_RUN - 1;
    while (last >= start && IN_RUN[text.charCodeAt(last)] === 1) last -= 1;
    if (last >= start) {
      start = last + 1;
      continue;
    }
    let end = start + SHORTEST_RUN;
    while (end < text.length && IN_RUN[text.charCodeAt(end)] === 1) end += 1;
    searchRun(text, Math.max(0, start - BEFORE_RUN), end, engine, search);
    start = end + 1;
  }
}

function searchSigns(text: string, engine: RuleEngine, search: Search): void {
  const signs = engine.signs;
  if (signs === undefined) return;
  signs.lastIndex = 0;
  while (signs.test(text)) {
    const at = signs.lastIndex - 1;
    const rules = engine.bySign.get(text.charAt(at));
    if (rules === undefined) continue;
    for (const [literal, rule] of rules) {
      if (literal.length === 1 || text.startsWith(literal, at)) search.tryAt(rule, at);
    }
  }
}

/** Everything the rules find in a text, unsorted and possibly overlapping. */
export function findSecrets(text: string, engine: RuleEngine): FoundSecret[] {
  const search = new Search(text);
  if (text.length >= SHORTEST_RUN) searchRuns(text, engine, search);
  searchSigns(text, engine, search);
  for (const [literal, rule] of engine.literals) {
    for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + literal.length)) {
      search.tryAt(rule, at);
    }
  }
  for (const rule of engine.always) search.tryEverywhere(rule);
  return search.found;
}
