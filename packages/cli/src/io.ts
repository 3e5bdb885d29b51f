import { createRequire } from "node:module";
import pc from "picocolors";
import { cleanLines } from "./terminal/clean-text.ts";

/** Where a command writes: data on stdout, everything for people on stderr. */
export interface Io {
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  /** No progress and no chatter; warnings and errors still show. */
  quiet: boolean;
}

/** The process's own streams. A reader that goes away (`asv … | head`) ends the program quietly. */
export function processIo(quiet: boolean): Io {
  return { stdout: process.stdout, stderr: process.stderr, quiet };
}

/** A message for a person. */
export function say(io: Io, text: string): void {
  if (!io.quiet) io.stderr.write(`${cleanLines(text)}\n`);
}

/** A doubt about the data; shown even when quiet. */
export function warn(io: Io, text: string): void {
  io.stderr.write(`${pc.createColors(colours(io)).yellow("warning:")} ${cleanLines(text)}\n`);
}

/** Colours only on a terminal and never under NO_COLOR. */
export function colours(io: Io): boolean {
  return pc.isColorSupported && io.stderr.isTTY === true; // undefined would mean "decide for yourself"
}

/** The version in this package's package.json. */
export function version(): string {
  const read = createRequire(import.meta.url);
  return (read("../package.json") as { version: string }).version;
}
