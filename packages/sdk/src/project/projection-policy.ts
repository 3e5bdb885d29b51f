import { InvalidArgumentError } from "../errors/index.ts";
import { keyRuleFinder } from "./key-rule-finder.ts";
import { ruleEngine, type RuleEngine } from "./rule-engine.ts";
import {
  KEY_RULES,
  personalData,
  TEXT_RULES,
  type Detector,
  type KeyRule,
  type TextRule,
} from "./rules/index.ts";

/** Version of the built-in rules and of what texts are read into; changes whenever one of them does. */
export const PROJECTION_VERSION = "phi-2";

/** Ids of the opt-in rules for personal data. */
export type PersonalDataRule = "email" | "phone" | "card" | "iban" | "ipv4" | "ipv6";

/** How states are projected. Every field is optional; `{}` is the default policy. */
export interface ProjectionPolicy {
  /** Name stored with every record. Default `default`, or `custom` when any rule is added or left out. */
  readonly name?: string;
  /**
   * Picks from the host's state what an evaluator may see; runs first, all rules run on its result.
   * Must be synchronous and return an object, an array or a text. When it throws or returns anything
   * else, a marker is all that is left of the state.
   */
  readonly project?: (state: unknown) => unknown;
  /** Most characters of block text and names a state keeps. Default 24,000. */
  readonly maxChars?: number;
  /** Deepest nesting that is kept. Default 64. */
  readonly maxDepth?: number;
  /** Most characters read of one state, decoding included; it bounds how long hostile text can take. Default 8,000,000. */
  readonly maxWork?: number;
  /** Most values (objects, array elements, fields) read of one state. Default 400,000. */
  readonly maxValues?: number;
  /** Personal data to redact: all kinds, or those named. Default none. */
  readonly personalData?: boolean | readonly PersonalDataRule[];
  /** Ids of built-in rules to leave out. */
  readonly without?: readonly string[];
  /** Further key rules; they come before the built-in ones. */
  readonly keyRules?: readonly KeyRule[];
  /** Further text rules; they come before the built-in ones. */
  readonly textRules?: readonly TextRule[];
  /** Detectors of the user's own, called on every text. */
  readonly detectors?: readonly Detector[];
}

/** A policy with every default filled in and its rules compiled. Make one once, use it for every state. */
export interface ResolvedPolicy {
  readonly name: string;
  readonly project: ((state: unknown) => unknown) | undefined;
  readonly maxChars: number;
  readonly maxDepth: number;
  readonly maxWork: number;
  readonly maxValues: number;
  readonly engine: RuleEngine;
  readonly keyRules: readonly KeyRule[];
  readonly detectors: readonly Detector[];
  /** No text rule but built-in ones, all of which are known to need a sign in a short text. */
  readonly builtInTextRules: boolean;
  /** Ids that may stand in a placeholder. */
  readonly ruleIds: ReadonlySet<string>;
  /** Key rules whose name fits, remembered by name. */
  readonly keyRulesOf: (name: string) => readonly KeyRule[];
}

const RULE_ID = /^[a-z0-9-]{1,40}$/;

function limit(
  policy: ProjectionPolicy,
  name: "maxChars" | "maxDepth" | "maxWork" | "maxValues",
  most: number,
) {
  const value = policy[name];
  const fallback = { maxChars: 24_000, maxDepth: 64, maxWork: 8_000_000, maxValues: 400_000 }[name];
  if (value === undefined) return fallback;
  if (
    typeof value !== "number" ||
    !(value >= 1 && value <= most) ||
    (!Number.isInteger(value) && value !== Infinity)
  ) {
    throw new InvalidArgumentError(`policy.${name}`, `a whole number from 1 to ${most}`, value);
  }
  return value;
}

function checkLiterals(rules: readonly TextRule[]): void {
  for (const { when } of rules) {
    const [least, literals] = "token" in when ? [2, when.token] : "text" in when ? [1, when.text] : [0, []];
    for (const literal of literals) {
      if (literal.length < least) {
        throw new InvalidArgumentError("rule literal", `at least ${least} characters long`, literal);
      }
    }
  }
}

function checkIds(rules: readonly { readonly id: string }[]): void {
  for (const { id } of rules) {
    if (!RULE_ID.test(id)) {
      throw new InvalidArgumentError("rule id", "1 to 40 of a-z, 0-9 and -", id);
    }
  }
}

function personalRules(policy: ProjectionPolicy): readonly TextRule[] {
  const chosen = policy.personalData ?? false;
  if (typeof chosen === "boolean") return chosen ? personalData : [];
  for (const id of chosen) {
    if (!personalData.some((rule) => rule.id === id)) {
      throw new InvalidArgumentError("policy.personalData", "email, phone, card, iban, ipv4 or ipv6", id);
    }
  }
  return personalData.filter((rule) => chosen.includes(rule.id as PersonalDataRule));
}

/**
 * Checks a policy, fills in defaults and compiles its rules.
 * @throws InvalidArgumentError for a value that cannot be used, with the option's name.
 */
export function resolvePolicy(policy: ProjectionPolicy = {}): ResolvedPolicy {
  const without = new Set(policy.without);
  const builtIn = new Set([...KEY_RULES, ...TEXT_RULES].map((rule) => rule.id));
  for (const id of without) {
    if (!builtIn.has(id)) throw new InvalidArgumentError("policy.without", "ids of built-in rules", id);
  }
  if (policy.project !== undefined && typeof policy.project !== "function") {
    throw new InvalidArgumentError("policy.project", "a function", policy.project);
  }
  const personal = personalRules(policy);
  const kept = (rule: { readonly id: string }) => !without.has(rule.id);
  const keyRules = [...(policy.keyRules ?? []), ...KEY_RULES.filter(kept)];
  const textRules = [...(policy.textRules ?? []), ...TEXT_RULES.filter(kept), ...personal];
  checkIds([...keyRules, ...textRules]);
  checkLiterals(textRules);
  const detectors = policy.detectors ?? [];
  const changed =
    keyRules.length + textRules.length !== KEY_RULES.length + TEXT_RULES.length ||
    without.size + detectors.length > 0;
  return Object.freeze({
    name: policy.name ?? (changed || policy.project !== undefined ? "custom" : "default"),
    project: policy.project,
    maxChars: limit(policy, "maxChars", Infinity),
    maxDepth: limit(policy, "maxDepth", 256),
    maxWork: limit(policy, "maxWork", Infinity),
    maxValues: limit(policy, "maxValues", Infinity),
    engine: ruleEngine(textRules),
    keyRules,
    detectors,
    builtInTextRules: detectors.length + personal.length + (policy.textRules?.length ?? 0) === 0,
    ruleIds: new Set([...keyRules, ...textRules].map((rule) => rule.id)),
    keyRulesOf: keyRuleFinder(keyRules),
  });
}
