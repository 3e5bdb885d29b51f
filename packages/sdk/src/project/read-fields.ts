import type { JsonObject, JsonValue } from "../schema/index.ts";
import type { ProjectionPass } from "./projection-pass.ts";
import type { KeyRule } from "./rules/index.ts";

/** A field that passed the key rules. `replacement` stands in for the value where it must not be looked at. */
export interface Field {
  readonly key: string;
  readonly value: unknown;
  readonly replacement?: string;
}

/** Sets a field as data, whatever its name: `__proto__` must not set a prototype. Never overwrites. */
export function setField(object: JsonObject, key: string, value: JsonValue): void {
  let free = key;
  while (Object.hasOwn(object, free)) free += "~";
  if (free === "__proto__") {
    Object.defineProperty(object, free, { value, enumerable: true, writable: true, configurable: true });
  } else {
    object[free] = value;
  }
}

/** Reads an object's fields under the key rules: each value at most once, a forbidden one not at all. */
export class FieldReader {
  readonly #pass: ProjectionPass;
  readonly #fields: Field[] = [];

  constructor(pass: ProjectionPass) {
    this.#pass = pass;
  }

  fromRecord(record: object): Field[] {
    for (const key of Object.keys(record)) this.#read(key, () => Reflect.get(record, key));
    return this.#withoutNamedPairs();
  }

  fromEntries(entries: Iterable<readonly [unknown, unknown]>): Field[] {
    for (const [key, value] of entries) this.#read(String(key), () => value);
    return this.#withoutNamedPairs();
  }

  #read(key: string, get: () => unknown): void {
    const rules = this.#pass.policy.keyRulesOf(key);
    const byName = rules.find((rule) => rule.when.value === undefined);
    if (byName !== undefined && byName.do === "remove") {
      this.#pass.tally.count(byName.id);
      return;
    }
    let value: unknown;
    try {
      value = get();
    } catch {
      this.#fields.push({ key, value: null, replacement: this.#pass.tally.fail("unreadable") });
      return;
    }
    this.#keep(key, value, rules);
  }

  #keep(key: string, value: unknown, rules: readonly KeyRule[]): void {
    const rule = rules.find(({ when }) => when.value === undefined || when.value(value, key));
    if (rule === undefined) {
      this.#fields.push({ key, value });
      return;
    }
    this.#pass.tally.count(rule.id);
    if (rule.do === "remove") return;
    const secret = typeof value === "string" ? value : key;
    this.#fields.push({ key, value: null, replacement: this.#pass.session.placeholder(rule.id, secret) });
  }

  /**
   * `{name: "Authorization", value: "..."}`: the name stands in another field than the value. Headers,
   * attributes and form fields are written like this.
   */
  #withoutNamedPairs(): Field[] {
    const fields = this.#fields;
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
