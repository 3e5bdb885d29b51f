import { isPlaceholder } from "./placeholder.ts";
import type { ProjectionPass } from "./projection-pass.ts";
import { redactString } from "./redact-string.ts";
import type { KeyRule } from "./rules/index.ts";

/** A field that passed the key rules. `replacement` stands in for the value where it must not be looked at. */
export interface Field {
  readonly key: string;
  readonly value: unknown;
  /** Its place among the entries as they came; not told of an object's own fields, which are many. */
  readonly at?: number;
  readonly replacement?: string;
}

/** Reads an object's fields under the key rules: each value at most once, a forbidden one not at all. */
export class FieldReader {
  readonly #pass: ProjectionPass;
  readonly #level: number;
  readonly #fields: Field[] = [];
  #at: number | undefined;

  /** `level` counts the texts around the object. */
  constructor(pass: ProjectionPass, level: number) {
    this.#pass = pass;
    this.#level = level;
  }

  fromRecord(record: object): Field[] {
    for (const name of Object.keys(record)) {
      const key = redactString(name, this.#pass, this.#level);
      const rules = this.#rulesOf(name, key);
      if (rules.length > 0 && this.#isRemovedUnread(rules)) continue;
      try {
        this.#keep(key, (record as Record<string, unknown>)[name], rules);
      } catch {
        this.#push(key, null, this.#pass.tally.fail("unreadable"));
      }
    }
    return this.#withoutNamedPairs();
  }

  fromEntries(entries: Iterable<readonly [unknown, unknown]>): Field[] {
    for (const [given, value] of entries) {
      this.#at = this.#at === undefined ? 0 : this.#at + 1;
      const name = String(given);
      const key = redactString(name, this.#pass, this.#level);
      this.#keep(key, value, this.#rulesOf(name, key));
    }
    return this.#withoutNamedPairs();
  }

  #push(key: string, value: unknown, replacement?: string): void {
    const field: Field = replacement === undefined ? { key, value } : { key, value, replacement };
    this.#fields.push(this.#at === undefined ? field : { ...field, at: this.#at });
  }

  /** Rules of the name as it came and as it will stand: a secret cut out of it can leave a forbidden one. */
  #rulesOf(name: string, key: string): readonly KeyRule[] {
    const rules = this.#pass.policy.keyRulesOf(name);
    return key === name ? rules : [...rules, ...this.#pass.policy.keyRulesOf(key)];
  }

  /** A rule on the name alone: the value is not even read. */
  #isRemovedUnread(rules: readonly KeyRule[]): boolean {
    const rule = rules.find(({ when }) => when.value === undefined);
    if (rule === undefined || rule.do !== "remove") return false;
    this.#pass.tally.count(rule.id);
    return true;
  }

  #keep(key: string, value: unknown, rules: readonly KeyRule[]): void {
    const fits = ({ when }: KeyRule) => when.value === undefined || when.value(value, key);
    const rule = rules.length === 0 ? undefined : rules.find(fits);
    if (rule === undefined) {
      this.#push(key, value);
      return;
    }
    if (
      rule.do === "replace" &&
      typeof value === "string" &&
      isPlaceholder(value, this.#pass.policy.ruleIds)
    ) {
      this.#push(key, value);
      return;
    }
    this.#pass.tally.count(rule.id);
    if (rule.do === "remove") return;
    const secret = typeof value === "string" ? value : key;
    this.#push(key, null, this.#pass.session.placeholder(rule.id, secret));
  }

  /**
   * `{name: "Authorization", value: "..."}`: the name stands in another field than the value. Headers,
   * attributes and form fields are written like this.
   */
  #withoutNamedPairs(): Field[] {
    const fields = this.#fields;
    if (fields.length < 2) return fields;
    const at = fields.findIndex(({ key }) => key === "value");
    if (at < 0) return fields;
    const named = fields.find(({ key }) => key === "name" || key === "key" || key === "header");
    if (named === undefined || typeof named.value !== "string") return fields;
    const name = named.value;
    const value = fields[at]?.value;
    const rule = this.#pass.policy
      .keyRulesOf(name)
      .find(({ when, secret }) => secret === true && (when.value === undefined || when.value(value, name)));
    if (rule === undefined) return fields;
    this.#pass.tally.count(rule.id);
    return fields.filter((_, i) => i !== at);
  }
}
