import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { onTestFinished, vi } from "vitest";
import { run } from "../run.ts";

/** The key every command of a test gets, to be looked for afterwards. */
export const CANARY = "sk-canary-7719-commands";

export interface Ended {
  status: number;
  stdout: string;
  stderr: string;
}

/**
 * A folder and a way to run commands against it inside this process, so that a server of the test
 * can answer them. A word that starts with `./` is a file of the folder. After the test no file there
 * and no output may hold the key.
 */
export function workplace() {
  const folder = mkdtempSync(join(tmpdir(), "asv-commands-"));
  vi.stubEnv("ASV_TEST_KEY", CANARY);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
  const at = (name: string) => join(folder, name);
  const asv = async (...words: string[]): Promise<Ended> => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const io = {
      stdout: stdout as unknown as NodeJS.WriteStream,
      stderr: stderr as unknown as NodeJS.WriteStream,
      quiet: false,
    };
    const args = words.map((word) => (word.startsWith("./") ? at(word.slice(2)) : word));
    const status = await run(args, io);
    const read = (stream: PassThrough) => String(stream.read() ?? "");
    return { status, stdout: read(stdout), stderr: read(stderr) };
  };
  return {
    at,
    asv,
    /** The same, which must succeed. */
    done: async (...words: string[]): Promise<Ended> => {
      const ended = await asv(...words);
      if (ended.status !== 0)
        throw new Error(`asv ${words.join(" ")} ended with ${ended.status}\n${ended.stderr}`);
      return ended;
    },
    text: (name: string) => readFileSync(at(name), "utf8"),
    lines: (name: string) =>
      readFileSync(at(name), "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    /** Everything in the folder, to look for what must not be there. */
    everything: () =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
        .join("\n"),
  };
}
