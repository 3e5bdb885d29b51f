import { openPlacedFile } from "../records/placed-file.ts";
import { withoutInterrupt, type UnfinishedOutput } from "../records/unfinished-outputs.ts";

/** A text file that appears whole or not at all. */
export type TextFile = UnfinishedOutput<string>;

const BUFFERED = 1 << 16;

/** Opens a text file to write, as {@link openPlacedFile} does. Texts keep the order of the calls. */
export async function openTextFile(path: string): Promise<TextFile> {
  const file = await openPlacedFile(path);
  let waiting = "";
  let work: Promise<void> = Promise.resolve();
  // One after the other, so that texts keep their order even where a caller does not wait.
  const flush = (): Promise<void> => {
    const text = waiting;
    waiting = "";
    const done = work.then(() => file.write(text));
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
      await file.commit();
    },
    abort: async () => {
      await work;
      await file.abort();
    },
  };
}

/** Writes whole text files that belong together: all are ready before the first one is put in place. */
export async function writeTextFiles(texts: Readonly<Record<string, string>>): Promise<void> {
  const files: TextFile[] = [];
  try {
    for (const [path, text] of Object.entries(texts)) {
      const file = await openTextFile(path);
      files.push(file);
      await file.write(text);
    }
    await commitTogether(files);
  } catch (error) {
    for (const file of files) await file.abort();
    throw error;
  }
}

/** Puts files in place one right after the other, and lets no interruption come between them. */
export function commitTogether(files: readonly Pick<TextFile, "commit">[]): Promise<void> {
  return withoutInterrupt(async () => {
    for (const file of files) await file.commit();
  });
}

/** Writes a whole text file at once. */
export function writeTextFile(path: string, text: string): Promise<void> {
  return writeTextFiles({ [path]: text });
}
