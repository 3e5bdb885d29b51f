import type { TextRule } from "./rules/index.ts";

/** A text rule ready to run. A lower rank names the secret where several rules meet. */
export interface ReadyRule {
  readonly id: string;
  readonly rank: number;
  readonly rule: TextRule;
  /** The rule's pattern, sticky, or global for a rule that is always tried. */
  readonly pattern: RegExp | undefined;
}

/** A rule and one of the literals it is tried at. */
export interface LiteralRule {
  readonly literal: string;
  /** Code of its second character, -1 where there is none: looked at before the rest. */
  readonly second: number;
  readonly rule: ReadyRule;
}

/** Literals by the code of their first character; most codes have none. */
export type LiteralTable = readonly (readonly LiteralRule[] | undefined)[];

/** Text rules sorted by how they are found. */
export interface RuleEngine {
  /** Token literals by the code of their first character; tried only around long unbroken runs. */
  readonly tokens: LiteralTable;
  /** 1 for the first two characters of any token literal, by {@link pairCode}. */
  readonly tokenPairs: Uint8Array;
  /** The single characters that are literals: one pass finds them, and literals that open with one. */
  readonly signs: RegExp | undefined;
  readonly bySign: LiteralTable;
  /** All other literals by their first two characters: one search for each pair. */
  readonly literals: readonly (readonly [start: string, rules: readonly LiteralRule[]])[];
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

/** Index of two characters in a table of pairs. */
export function pairCode(first: number, second: number): number {
  return ((first & 0xff) << 8) | (second & 0xff);
}

function literalRule(literal: string, rule: ReadyRule): LiteralRule {
  return { literal, second: literal.length > 1 ? literal.charCodeAt(1) : -1, rule };
}

function add(table: LiteralRule[][], literal: string, rule: ReadyRule): void {
  const code = literal.charCodeAt(0);
  const list = table[code] ?? [];
  list.push(literalRule(literal, rule));
  table[code] = list;
}

/** Compiles rules once a policy. */
export function ruleEngine(rules: readonly TextRule[]): RuleEngine {
  const tokens: LiteralRule[][] = [];
  const bySign: LiteralRule[][] = [];
  const literals = new Map<string, LiteralRule[]>();
  const always: ReadyRule[] = [];
  const tokenPairs = new Uint8Array(0x1_00_00);
  const literalsOf = ({ when }: TextRule) => ("text" in when ? when.text : []);
  const single = new Set(rules.flatMap(literalsOf).filter((literal) => literal.length === 1));
  rules.forEach((rule, rank) => {
    const one = ready(rule, rank);
    if ("token" in rule.when) {
      for (const literal of rule.when.token) {
        add(tokens, literal, one);
        tokenPairs[pairCode(literal.charCodeAt(0), literal.charCodeAt(1))] = 1;
      }
    } else if ("always" in rule.when) always.push(one);
    else {
      for (const literal of rule.when.text) {
        if (single.has(literal.charAt(0))) add(bySign, literal, one);
        else {
          const start = literal.slice(0, 2);
          literals.set(start, [...(literals.get(start) ?? []), literalRule(literal, one)]);
        }
      }
    }
  });
  const signs = Object.keys(bySign)
    .map((code) => escaped(String.fromCharCode(Number(code))))
    .join("");
  return {
    tokenPairs,
    tokens,
    signs: signs === "" ? undefined : new RegExp(`[${signs}]`, "g"),
    bySign,
    literals: [...literals],
    always,
  };
}
