import { readlink, realpath } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/**
 * Where a path leads through all its links, also where nothing is there yet: what is to replace a file
 * must replace this one, so that a link stays a link.
 *
 * @throws what the system says, such as `ELOOP` for links in a circle
 */
export async function linkedPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  // Links in a circle are ELOOP above, so following a dangling one comes to an end.
  const link = await readlink(path).catch(() => undefined);
  if (link === undefined) return path;
  return linkedPath(resolve(await realpath(dirname(path)), link));
}
