import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Ended } from "./asv.ts";

const launcher = fileURLToPath(new URL("../../packages/cli/bin/asv.js", import.meta.url));

export interface Running {
  ended: Promise<Ended>;
  kill(signal: NodeJS.Signals): void;
}

/** Starts a command beside the test, which can then serve it from its own process. */
export function asvBeside(folder: string, env: Record<string, string>, ...args: string[]): Running {
  const child = spawn(process.execPath, [launcher, ...args], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: "1", NODE_OPTIONS: "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, stdout, stderr }));
  });
  return { ended, kill: (signal) => void child.kill(signal) };
}

/** The same to its end, which must be a success. */
export async function asvBesideDone(
  folder: string,
  env: Record<string, string>,
  ...args: string[]
): Promise<Ended> {
  const ended = await asvBeside(folder, env, ...args).ended;
  if (ended.status !== 0)
    throw new Error(`asv ${args.join(" ")} ended with ${ended.status}\n${ended.stderr}`);
  return ended;
}
