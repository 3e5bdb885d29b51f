import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * Makes a directory and those above it where they are missing. One level at a time: Node's own recursive
 * way never ends where a file system says that a directory is not there and takes none, as /proc does.
 *
 * @throws what the system says
 */
export function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory);
  } catch (error) {
    if (isDirectory(directory)) return;
    const above = dirname(directory);
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT" && above !== directory;
    if (!isMissing || isDirectory(above)) throw error;
    makeDirectory(above);
    try {
      mkdirSync(directory);
    } catch (again) {
      // Somebody else may have made it meanwhile.
      if (!isDirectory(directory)) throw again;
    }
  }
}
