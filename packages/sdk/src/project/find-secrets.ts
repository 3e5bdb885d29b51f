import { pairCode, type LiteralRule, type ReadyRule, type RuleEngine } from "./rule-engine.ts";
import type { TextSpan } from "./rules/index.ts";
import { terminalCodeBefore } from "./rules/terminal-code.ts";

/** A secret in a text, found by the rule of that rank. */
export interface FoundSecret extends TextSpan {
  readonly id: string;
  readonly rank: number;
}

/** Shortest unbroken run of token characters worth a look; words of prose are shorter. */
const SHORTEST_RUN = 16;
/** How far before a run a token's literal may begin (`Bearer `). */
const BEFORE_RUN = 8;

const IN_RUN = new Uint8Array(0x1_00_00);
for (const c of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") {
  IN_RUN[c.charCodeAt(0)] = 1;
}
/** Letters and digits only. */
const IN_WORD = IN_RUN.slice();
IN_WORD["_".charCodeAt(0)] = 0;
IN_WORD["-".charCodeAt(0)] = 0;
/** Letters that follow a backslash in JSON and source code. */
const ESCAPED = "nrtbfv";

/** One text and what was found in it so far. */
class Search {
  readonly found: FoundSecret[] = [];
  readonly #text: string;
  readonly #standing: readonly TextSpan[];
  /** Where each rule's last find ends: inside it the rule is not tried again, which keeps work linear. */
  #until: number[] | undefined;

  constructor(text: string, standing: readonly TextSpan[]) {
    this.#text = text;
    this.#standing = standing;
  }

  /** A placeholder reads `SECRET:...` itself; nothing is looked for from inside one. */
  #isStanding(at: number): boolean {
    let low = 0;
    let high = this.#standing.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#standing[middle]?.end ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return (this.#standing[low]?.start ?? Infinity) <= at;
  }

  tryAt(rule: ReadyRule, at: number): void {
    if (this.#until !== undefined && at < (this.#until[rule.rank] ?? 0)) return;
    if (this.#standing.length > 0 && this.#isStanding(at)) return;
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
    if (rule.rule.check === undefined || rule.rule.check(this.#text.slice(start, end))) return { start, end };
    // What a check rejects, it rejects from any later start as well: words do not become a key.
    this.#notBefore(rule, end);
    return undefined;
  }

  #add(rule: ReadyRule, { start, end }: TextSpan): void {
    if (!(start < end)) return;
    this.found.push({ start, end, id: rule.id, rank: rule.rank });
    this.#notBefore(rule, end);
  }

  #notBefore(rule: ReadyRule, end: number): void {
    this.#until ??= [];
    this.#until[rule.rank] = Math.max(end, this.#until[rule.rank] ?? 0);
  }
}

/**
 * A token may begin where no letter or digit stands before it; or after an escape whose letter is no
 * part of the word: `\\nsk-...` and `\\u003dsk-...` in text that was escaped once more than it was
 * read, `%20sk-...`, and the colour codes of a terminal.
 */
function beginsToken(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  if (at === 0 || IN_WORD[before] === 0) return true;
  const second = text.charCodeAt(at - 2);
  if (second === 92) return ESCAPED.includes(text.charAt(at - 1));
  if (text.charCodeAt(at - 3) === 37 && IN_WORD[second] === 1) return true;
  if (text.charCodeAt(at - 6) === 92 && text.charCodeAt(at - 5) === 117) return true;
  if (text.charCodeAt(at - 4) === 92 && text.charCodeAt(at - 3) === 120) return true;
  return terminalCodeBefore(text, at) < at;
}

function tryLiterals(text: string, at: number, rules: readonly LiteralRule[], search: Search): void {
  const next = text.charCodeAt(at + 1);
  for (const { literal, second, rule } of rules) {
    if (second === -1) search.tryAt(rule, at);
    else if (second === next && text.startsWith(literal, at)) search.tryAt(rule, at);
  }
}

function searchRun(text: string, from: number, end: number, engine: RuleEngine, search: Search): void {
  const { tokenPairs } = engine;
  let code = text.charCodeAt(from);
  for (let at = from; at < end; at += 1) {
    const next = text.charCodeAt(at + 1);
    const known = tokenPairs[pairCode(code, next)] === 1;
    if (known && beginsToken(text, at)) tryLiterals(text, at, engine.tokens[code] ?? [], search);
    code = next;
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
    const rules = engine.bySign[text.charCodeAt(at)];
    if (rules !== undefined) tryLiterals(text, at, rules, search);
  }
}

/**
 * Everything the rules find in a text, unsorted and possibly overlapping. `standing` are the
 * placeholders already in it, in order.
 */
export function findSecrets(
  text: string,
  engine: RuleEngine,
  standing: readonly TextSpan[] = [],
): FoundSecret[] {
  const search = new Search(text, standing);
  if (text.length >= SHORTEST_RUN) searchRuns(text, engine, search);
  searchSigns(text, engine, search);
  for (const [start, rules] of engine.literals) {
    for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1))
      tryLiterals(text, at, rules, search);
  }
  for (const rule of engine.always) search.tryEverywhere(rule);
  return search.found;
}
