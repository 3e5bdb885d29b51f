import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = new URL("../../../../../shared/", import.meta.url);
const warned = new Set<string>();

/**
 * Path of a data file that lies beside the repository checkout, or undefined where it is not there.
 * Says so on stderr once a file, so that a skipped test is never silent.
 */
export function sharedFile(path: string): string | undefined {
  const file = fileURLToPath(new URL(path, root));
  if (existsSync(file)) return file;
  if (!warned.has(path)) {
    warned.add(path);
    console.warn(`SKIPPED: ${path} is not beside this checkout; the tests that need it do not run.`);
  }
  return undefined;
}
