import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const launcher = fileURLToPath(new URL("../../packages/cli/bin/asv.js", import.meta.url));
const environment = { ...process.env, NO_COLOR: "1", NODE_OPTIONS: "" };

export interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs one asv command in a folder, as a person would, and waits for its end. */
export function asv(folder: string, ...args: string[]): Ended {
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [launcher, ...args], {
    cwd: folder,
    encoding: "utf8",
    env: environment,
    maxBuffer: 1 << 28,
  });
  if (error) throw error;
  return { status, stdout, stderr };
}

/** The same command, which must succeed. */
export function asvDone(folder: string, ...args: string[]): Ended {
  const ended = asv(folder, ...args);
  if (ended.status !== 0)
    throw new Error(`asv ${args.join(" ")} ended with ${ended.status}\n${ended.stderr}`);
  return ended;
}

/** Starts a command that the test will signal. */
export function asvStart(folder: string, ...args: string[]): ChildProcess {
  return spawn(process.execPath, [launcher, ...args], {
    cwd: folder,
    env: environment,
    stdio: ["ignore", "ignore", "pipe"],
  });
}

/** An empty folder that goes with the test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "asv-replay-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
