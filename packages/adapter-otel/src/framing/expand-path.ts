import { readdir, stat } from "node:fs/promises";
import { join, parse, sep } from "node:path";

/**
 * The files a path stands for: itself, the files directly in it where it is a directory, or those that
 * fit where it holds `*` or `?`. In order of their names. A path that exists is never a pattern.
 */
export async function expandPath(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() === true) return filesIn(path);
  if (found !== undefined || !/[*?]/.test(path)) return [path];
  const { root } = parse(path);
  const parts = path.slice(root.length).split(/[\\/]/);
  let places = [root];
  for (const [at, part] of parts.entries()) {
    const next: string[] = [];
    for (const place of places) next.push(...(await fitting(place, part, at < parts.length - 1)));
    places = next;
  }
  const files: string[] = [];
  for (const place of places) files.push(...((await isDirectory(place)) ? await filesIn(place) : [place]));
  return files.sort();
}

async function fitting(place: string, part: string, inside: boolean): Promise<string[]> {
  const whole = (name: string): string =>
    place === "" ? name : place.endsWith(sep) ? place + name : join(place, name);
  if (!/[*?]/.test(part)) return [whole(part)];
  const entries = await readdir(place === "" ? "." : place).catch(() => []);
  const names = entries.filter((name) => fits(part, name) && (part.startsWith(".") || !name.startsWith(".")));
  if (!inside) return names.map(whole);
  const directories: string[] = [];
  for (const name of names) if (await isDirectory(whole(name))) directories.push(whole(name));
  return directories;
}

async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const files: string[] = [];
  for (const entry of entries) {
    const path = join(directory, entry.name);
    if (entry.isDirectory() || entry.name.startsWith(".")) continue;
    // A link to a folder is passed over as a folder is.
    if (!entry.isSymbolicLink() || !(await isDirectory(path))) files.push(path);
  }
  return files.sort();
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

/** `*` is any run of characters, `?` any one. Linear in memory and at worst the product of both lengths. */
function fits(pattern: string, name: string): boolean {
  let [p, n, star, back] = [0, 0, -1, 0];
  while (n < name.length) {
    if (p < pattern.length && pattern[p] === "*") {
      star = p++;
      back = n;
    } else if (p < pattern.length && (pattern[p] === "?" || pattern[p] === name[n])) {
      p++;
      n++;
    } else if (star === -1) return false;
    else {
      p = star + 1;
      n = ++back;
    }
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}
