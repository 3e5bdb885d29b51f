import { randomUUID } from "node:crypto";
import { open, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { fileError } from "./file-error.ts";
import { linkedPath } from "./linked-path.ts";

/** Where a writer's text goes, and how it is finished or given up. */
export interface Output {
  readonly name: string;
  write(text: string): Promise<void>;
  /** After this everything is in place. */
  finish(): Promise<void>;
  /** After this nothing of an unfinished file is left. */
  discard(): Promise<void>;
}

/**
 * A new file beside `path` that takes its place when it is finished, so that readers see the old
 * content or the new and never half of it. A symbolic link stays a link: the file it names is replaced,
 * or made where there is none yet. What is no file proper (a pipe, `/dev/null`) is
 * written to directly.
 */
export async function replaceFile(path: string): Promise<Output> {
  const target = await linkedPath(path).catch((error: unknown) => {
    throw fileError(path, "write it", error);
  });
  const old = await stat(target).catch(() => undefined);
  if (old !== undefined && !old.isFile()) return openDirectly(target);
  const temporary = `${target}.${randomUUID()}.tmp`;
  const handle = await open(temporary, "wx", old?.mode).catch((error: unknown) => {
    throw fileError(path, "write it", error);
  });
  const discard = async (): Promise<void> => {
    await handle.close().catch(() => undefined);
    await rm(temporary, { force: true }).catch(() => undefined);
  };
  return {
    name: path,
    write: (text) => writeAll(handle, text),
    async finish() {
      await handle.sync();
      await handle.close();
      await rename(temporary, target);
    },
    discard,
  };
}

async function openDirectly(path: string): Promise<Output> {
  const handle = await open(path, "w").catch((error: unknown) => {
    throw fileError(path, "write it", error);
  });
  return handleOutput(path, handle);
}

/** An open file whose content counts as soon as it is written. */
export function handleOutput(name: string, handle: FileHandle): Output {
  return {
    name,
    write: (text) => writeAll(handle, text),
    finish: () => handle.close(),
    discard: () => handle.close().catch(() => undefined),
  };
}

/** In one system call where the system takes it all, so that lines of several writers do not mix. */
async function writeAll(handle: FileHandle, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length;) {
    done += (await handle.write(bytes, done, bytes.length - done)).bytesWritten;
  }
}

/** Standard output. It stays open; a reader that went away is an error and not a crash. */
export function standardOutput(): Output {
  const { stdout } = process;
  const ignore = (): void => undefined;
  stdout.on("error", ignore);
  const release = (): Promise<void> => {
    stdout.off("error", ignore);
    return Promise.resolve();
  };
  return {
    name: "<stdout>",
    write: (text) =>
      new Promise((resolve, reject) => {
        stdout.write(text, (error) => (error ? reject(error) : resolve()));
      }),
    finish: release,
    discard: release,
  };
}
