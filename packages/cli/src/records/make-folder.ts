import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { AsvError } from "@agent-step-value/sdk";

/**
 * Makes a folder and those above it where they are missing. One level at a time: Node's own recursive way never ends
 * where a file system says that a folder is not there and takes none, as /proc does.
 *
 * @throws AsvError `unreadable_source` where the folder cannot be made
 */
export async function makeFolder(folder: string): Promise<void> {
  await makeLevels(folder).catch((error: NodeJS.ErrnoException) => {
    const message = `${folder}: cannot be made a folder (${error.code}).`;
    throw new AsvError("unreadable_source", message, { source: folder }, error);
  });
}

async function makeLevels(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && dirname(folder) !== folder) {
      await makeLevels(dirname(folder));
      await mkdirIfMissing(folder);
    } else if (!(await isFolder(folder))) throw error;
  }
}

/** Somebody else may have made it meanwhile. */
async function mkdirIfMissing(folder: string): Promise<void> {
  await mkdir(folder).catch(async (error: unknown) => {
    if (!(await isFolder(folder))) throw error;
  });
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}
