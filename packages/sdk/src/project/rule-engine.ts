import { squashName } from "./field-name.ts";
import type { KeyRule, TextRule } from "./rules/index.ts";

/** A text rule ready to run. A lower rank names the secret where several rules meet. */
export interface ReadyRule {
  readonly id: string;
  readonly rank: number;
  readonly rule: TextRule;
  /** The rule's pattern, sticky, or global for a rule that is always tried. */
  readonly pattern: RegExp | undefined;
}

/** Text rules sorted by how they are found. */
export interface RuleEngine {
  /** Every token literal in one pattern, tried only around long unbroken runs. */
  readonly tokens: RegExp | undefined;
  readonly byToken: ReadonlyMap<string, readonly ReadyRule[]>;
  /** First characters of the literals that open with punctuation: one pass finds them all. */
  readonly signs: RegExp | undefined;
  readonly bySign: ReadonlyMap<string, readonly (readonly [literal: string, rule: ReadyRule])[]>;
  /** Literals that open with a letter or digit: one search each. */
  readonly literals: readonly (readonly [literal: string, rule: ReadyRule])[];
  readonly always: readonly ReadyRule[];
}

function escaped(literal: string): string {
  return literal.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

function ready(rule: TextRule, rank: number): ReadyRule {
  const how = "always" in rule.when ? "dg" : "dy";
  const pattern =
    rule.do instanceof RegExp
      ? new RegExp(rule.do.source, rule.do.flags.replace(/[dgy]/g, "") + how)
      : undefined;
  return { id: rule.id, rank, rule, pattern };
}

function add<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

/**
 * What may stand before a token: anything but a letter or digit; or an escape whose letter is no
 * part of the word (`\nsk-...` in text that was escaped once more than it was read, `%20sk-...`).
 */
const BEFORE_TOKEN = "(?:(?<![A-Za-z0-9])|(?<=\\\\[nrtbf])|(?<=%[0-9A-Fa-f]{2}))";

/** Compiles rules once a policy. */
export function ruleEngine(rules: readonly TextRule[]): RuleEngine {
  const byToken = new Map<string, ReadyRule[]>();
  const bySign = new Map<string, [string, ReadyRule][]>();
  const literals: [string, ReadyRule][] = [];
  const always: ReadyRule[] = [];
  rules.forEach((rule, rank) => {
    const one = ready(rule, rank);
    if ("token" in rule.when) for (const literal of rule.when.token) add(byToken, literal, one);
    else if ("always" in rule.when) always.push(one);
    else {
      for (const literal of rule.when.text) {
        if (/^[A-Za-z0-9\s]/.test(literal)) literals.push([literal, one]);
        else add(bySign, literal.charAt(0), [literal, one]);
      }
    }
  });
  const names = [...byToken.keys()].sort((a, b) => b.length - a.length).map(escaped);
  const signs = [...bySign.keys()].map(escaped).join("");
  return {
    tokens: names.length === 0 ? undefined : new RegExp(`${BEFORE_TOKEN}(?:${names.join("|")})`, "g"),
    byToken,
    signs: signs === "" ? undefined : new RegExp(`[${signs}]`, "g"),
    bySign,
    literals,
    always,
  };
}

/** The rules that a key's name fits, in order; most names fit none. */
export function keyRulesFor(name: string, rules: readonly KeyRule[]): KeyRule[] {
  const squashed = squashName(name);
  if (squashed === "") return [];
  return rules.filter(({ when }) =>
    typeof when.name === "function" ? when.name(name) : when.name.some((n) => squashName(n) === squashed),
  );
}
