import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../packages/cli/bin/asv.js", import.meta.url));

export interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `asv` as a user does, in a process of its own. */
export async function asv(...words: string[]): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...words], { stdio: ["ignore", "pipe", "pipe"] });
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => (texts[name] += text));
  }
  const [status] = (await once(child, "close")) as [number | null];
  return { status: status ?? -1, ...texts };
}

/** The same, which must succeed. */
export async function asvDone(...words: string[]): Promise<Ended> {
  const ended = await asv(...words);
  if (ended.status !== 0) throw new Error(`asv ${words[0]} ended with ${ended.status}:\n${ended.stderr}`);
  return ended;
}
