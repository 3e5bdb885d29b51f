import type { JsonObject, JsonValue } from "../schema/index.ts";

/**
 * Builds an object field by field. A field is data, whatever its name: `__proto__` sets no prototype.
 * Two names that became one when something was cut out of them stay two: `name`, `name~2`.
 */
export class FieldWriter {
  readonly object: JsonObject = {};
  /** Last number given to a name; counting on from it keeps many equal names linear. */
  #numbers: Map<string, number> | undefined;

  set(key: string, value: JsonValue): void {
    const name = Object.hasOwn(this.object, key) ? this.#freeName(key) : key;
    if (name === "__proto__") {
      Object.defineProperty(this.object, name, {
        value,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    } else {
      this.object[name] = value;
    }
  }

  #freeName(key: string): string {
    this.#numbers ??= new Map();
    let number = this.#numbers.get(key) ?? 1;
    do number += 1;
    while (Object.hasOwn(this.object, `${key}~${number}`));
    this.#numbers.set(key, number);
    return `${key}~${number}`;
  }
}
