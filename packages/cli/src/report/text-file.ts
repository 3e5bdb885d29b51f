import { createWriteStream, type WriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { once } from "node:events";
import { AsvError } from "@agent-step-value/sdk";

/** A text file that appears whole or not at all. */
export interface TextFile {
  write(text: string): Promise<void>;
  commit(): Promise<void>;
  abort(): Promise<void>;
}

/** Opens a text file to write beside its final name. */
export async function openTextFile(path: string): Promise<TextFile> {
  const temporary = `${path}.tmp-${process.pid}`;
  const stream = createWriteStream(temporary);
  await guard(path, once(stream, "open"));
  return {
    write: async (text) => {
      if (!stream.write(text)) await guard(path, once(stream, "drain"));
    },
    commit: async () => {
      await guard(path, close(stream));
      await guard(path, rename(temporary, path));
    },
    abort: async () => {
      stream.destroy();
      await rm(temporary, { force: true });
    },
  };
}

/** Writes a whole text file at once. */
export async function writeTextFile(path: string, text: string): Promise<void> {
  const file = await openTextFile(path);
  await file.write(text);
  await file.commit();
}

function close(stream: WriteStream): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.once("error", reject);
    stream.end(() => resolve());
  });
}

async function guard(path: string, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "error";
    throw new AsvError("unreadable_source", `${path}: cannot be written (${code}).`, { source: path }, error);
  }
}
