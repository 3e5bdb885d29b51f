import { open, readlink, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { AsvError } from "@agent-step-value/sdk";

/** A text file that appears whole or not at all. */
export interface TextFile {
  write(text: string): Promise<void>;
  commit(): Promise<void>;
  abort(): Promise<void>;
}

const BUFFERED = 1 << 16;

/**
 * Opens a text file to write beside its final name. As with record files, a symbolic link stays a link: the
 * file it names is replaced, or made where there is none yet. What is no file proper (a pipe, `/dev/null`) is
 * written to directly.
 */
export async function openTextFile(path: string): Promise<TextFile> {
  const target = await guard(path, linkedPath(path));
  const old = await stat(target).catch(() => undefined);
  const isDirect = old !== undefined && !old.isFile() && !old.isDirectory();
  const written = isDirect ? target : `${target}.tmp-${process.pid}`;
  const handle = await guard(path, open(written, "w", old?.isFile() === true ? old.mode : undefined));
  let waiting = "";
  let work: Promise<void> = Promise.resolve();
  // One after the other, so that texts keep their order even where a caller does not wait.
  const flush = (): Promise<void> => {
    const text = waiting;
    waiting = "";
    const done = work.then(() => guard(path, handle.appendFile(text)));
    work = done.catch(() => undefined);
    return done;
  };
  return {
    write: async (text) => {
      waiting += text;
      if (waiting.length > BUFFERED) await flush();
    },
    commit: async () => {
      await flush();
      await guard(path, handle.close());
      if (!isDirect) await guard(path, rename(written, target));
    },
    abort: async () => {
      await work;
      await handle.close().catch(() => undefined);
      if (!isDirect) await rm(written, { force: true });
    },
  };
}

/** Writes a whole text file at once. */
export async function writeTextFile(path: string, text: string): Promise<void> {
  const file = await openTextFile(path);
  try {
    await file.write(text);
    await file.commit();
  } catch (error) {
    await file.abort();
    throw error;
  }
}

/** Where a path leads through all its links, also where nothing is there yet. */
async function linkedPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  // Links in a circle are ELOOP above, so following a dangling one comes to an end.
  const link = await readlink(path).catch(() => undefined);
  return link === undefined ? path : linkedPath(resolve(await realpath(dirname(path)), link));
}

async function guard<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "error";
    throw new AsvError("unreadable_source", `${path}: cannot be written (${code}).`, { source: path }, error);
  }
}
