import { existsSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// node-llama-cpp ships one library a generation of processor and loads the best one. Each rounds in its own
// way, and a quantised model turns that into tenths of a nat. To compare engines, and not processors, the
// better libraries of our own private copy are put aside while a comparison runs.
const folder = fileURLToPath(
  new URL("node_modules/@node-llama-cpp/linux-x64/bins/linux-x64/", import.meta.url),
);
const NEWER = [
  "cannonlake",
  "cascadelake",
  "cooperlake",
  "icelake",
  "sapphirerapids",
  "skylakex",
  "zen4",
  "alderlake",
];
const ASIDE = ".aside";

/** Runs work with the engine held to what a server's build can do, as its system line names it. */
export async function heldTo<T>(serverSystem: string, work: () => Promise<T>): Promise<T> {
  restore();
  if (/AVX512 = 1/.test(serverSystem) || !existsSync(folder)) return work();
  for (const name of NEWER) {
    const library = join(folder, `libggml-cpu-${name}.so`);
    if (existsSync(library)) renameSync(library, library + ASIDE);
  }
  try {
    return await work();
  } finally {
    restore();
  }
}

function restore(): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (name.endsWith(ASIDE)) renameSync(join(folder, name), join(folder, name.slice(0, -ASIDE.length)));
  }
}
