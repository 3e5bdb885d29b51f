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

/** A file that a command writes beside what it prints: standard output, `-`, is taken. */
export function fileOption(text: string): string {
  if (text === "-")
    throw new UsageError("standard output has what the command prints; name a file (./- is one named -).");
  return nameOption(text);
}

/** A folder that files are written into. */
export function folderOption(text: string): string {
  if (text === "-")
    throw new UsageError("several files are written, so it must be a folder (./- is one named -).");
  return nameOption(text);
}

/** A file for a command's records, or `-` for standard output. */
export function recordsOption(text: string): string {
  return nameOption(text);
}

/** A file for targets, which never stand in a stream with anything else. */
export function goldOption(text: string): string {
  if (text === "-") throw new UsageError("targets go to a file of their own; name it (./- is one named -).");
  return nameOption(text);
}

/** An empty name is a variable that was not set, and as a folder it would be the one the command runs in. */
function nameOption(text: string): string {
  if (text === "") throw new UsageError("the name is empty.");
  return text;
}
