import { realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { AsvError } from "@agent-step-value/sdk";

/** A file that a command will write, and the option that asked for it. */
export interface OutputFile {
  option: string;
  path: string;
}

/** The files of one option, those that were asked for. */
export function outputFiles(
  option: string,
  folder: string | undefined,
  names: readonly string[],
): OutputFile[] {
  return folder === undefined ? [] : names.map((name) => ({ option, path: join(folder, name) }));
}

/** Single files, those that were asked for. */
export function namedOutputs(files: Readonly<Record<string, string | undefined>>): OutputFile[] {
  return Object.entries(files).flatMap(([option, path]) =>
    path === undefined || path === "-" ? [] : [{ option, path }],
  );
}

/**
 * Refuses to write over what is to be read, or to write two things to one place, before anything is read.
 *
 * Links are followed, since writing to a symbolic link replaces the file it names.
 *
 * @throws AsvError `invalid_argument` naming the option and the file
 */
export async function refuseOverwriting(
  outputs: readonly OutputFile[],
  inputs: readonly string[],
): Promise<void> {
  const read = new Set(await Promise.all(inputs.filter((input) => input !== "-").map(placeOf)));
  const written = new Map<string, string>();
  for (const { option, path } of outputs) {
    const place = await placeOf(path);
    if (read.has(place)) {
      throw new AsvError("invalid_argument", `${option} ${path} is a file to be read; name another one.`);
    }
    const other = written.get(place);
    if (other !== undefined && place !== "/dev/null") {
      throw new AsvError("invalid_argument", `${other} and ${option} both write to ${path}; name two files.`);
    }
    written.set(place, option);
  }
}

/** Where a path leads, also where nothing is there yet; a folder that is missing has no links to follow. */
async function placeOf(path: string): Promise<string> {
  const found = await realpath(path).catch(() => undefined);
  if (found !== undefined) return found;
  const folder = await realpath(dirname(path)).catch(() => resolve(dirname(path)));
  return join(folder, basename(path));
}
