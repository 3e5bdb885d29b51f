import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const bin = fileURLToPath(new URL("../../../packages/cli/bin/asv.js", import.meta.url));

/** One `asv` command that ended. */
export interface AsvRun {
  code: number;
  stdout: string;
  stderr: string;
}

/** The command line as a user starts it, in the folder of the work files. */
export interface Asv {
  /**
   * Runs a command and returns what it printed.
   *
   * @throws Error with the end of its standard error when it ends with another code than those allowed
   */
  (args: readonly string[], allowed?: readonly number[]): Promise<AsvRun>;
}

/** Asynchronous, since the proxy that the command talks to lives in this process. */
export function asvIn(folder: string): Asv {
  return async (args, allowed = [0]) => {
    const child = spawn(process.execPath, [bin, ...args], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    const exited = once(child, "exit");
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const [code] = (await exited) as [number | null];
    if (code === null || !allowed.includes(code)) {
      throw new Error(`asv ${args.join(" ")} ended with ${code}\n${stderr.slice(-2000)}`);
    }
    return { code, stdout, stderr };
  };
}
