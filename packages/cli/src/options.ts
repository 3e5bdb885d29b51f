import { InvalidArgumentError as UsageError } from "commander";

/** A whole number of an option. */
export function integerOption(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isSafeInteger(value)) throw new UsageError("must be a whole number.");
  return value;
}

/** A whole number, 1 or more. */
export function countOption(text: string): number {
  const value = integerOption(text);
  if (value < 1) throw new UsageError("must be a whole number, 1 or more.");
  return value;
}

/** A number, 0 or more. */
export function amountOption(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0) || !Number.isFinite(value))
    throw new UsageError("must be a number, 0 or more.");
  return value;
}

/** `i/n`, part i of n parts, counted from 1. */
export function shardOption(text: string): { index: number; count: number } {
  const [index, count] = text.split("/").map(integerOption);
  if (index === undefined || count === undefined || index < 1 || count < index) {
    throw new UsageError("must be i/n with 1 <= i <= n, for example 1/4.");
  }
  return { index: index - 1, count };
}
