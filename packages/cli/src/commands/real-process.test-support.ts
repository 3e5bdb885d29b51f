import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { encodeScoreFileRecord, encodeTrajectory } from "@agent-step-value/sdk";
import { syntheticStudy } from "@agent-step-value/sdk/testing";
import { onTestFinished } from "vitest";

const ASV = fileURLToPath(new URL("../../bin/asv.js", import.meta.url));

/** A command as its own process. */
export interface RealCommand {
  process: ChildProcessWithoutNullStreams;
  /** Exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>;
  /** What it has told so far. */
  stderr(): string;
}

/** A folder with `runs.jsonl`, `direct.jsonl` and `rationale.jsonl`, and `asv` as a process that runs in it. */
export function realPlace(trajectories = 6) {
  const folder = mkdtempSync(join(tmpdir(), "asv-process-"));
  const study = syntheticStudy({ trajectories });
  const lines = (records: readonly unknown[]) =>
    records.map((record) => `${JSON.stringify(record)}\n`).join("");
  const runs = lines(study.trajectories.map((trajectory) => encodeTrajectory(trajectory)));
  writeFileSync(join(folder, "runs.jsonl"), runs);
  for (const [i, name] of ["direct", "rationale"].entries()) {
    const records = study.channels[i]!.records.map((record) => encodeScoreFileRecord(record));
    writeFileSync(join(folder, `${name}.jsonl`), lines(records));
  }
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const start = (command: string, args: readonly string[]): RealCommand => {
    const child = spawn(command, args, {
      cwd: folder,
      stdio: "pipe",
      env: { ...process.env, NO_COLOR: "1" },
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let told = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (told += text));
    child.stdin.on("error", () => undefined);
    const ended = once(child, "close").then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
    return { process: child, ended, stderr: () => told };
  };
  return {
    folder,
    runs,
    asv: (...words: string[]) => start(process.execPath, [ASV, ...words]),
    /** A line for `sh`, in which `$ASV` is the command. */
    shell: (line: string) => start("sh", ["-c", line.replaceAll("$ASV", `'${process.execPath}' '${ASV}'`)]),
    /** Every file below the folder. */
    files: () =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .toSorted(),
  };
}

/** Waits for something that another process does. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  const end = Date.now() + 60_000;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`not within a minute: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
