import { AsvError } from "./asv-error.ts";
import { showValue } from "./show-value.ts";

/** A caller passed a value that cannot be used. `fields.argument` names it. */
export class InvalidArgumentError extends AsvError {
  constructor(argument: string, expected: string, value: unknown) {
    super("invalid_argument", `${argument} must be ${expected}, got ${showValue(value)}.`, {
      argument,
      value: showValue(value),
    });
    this.name = "InvalidArgumentError";
  }
}
