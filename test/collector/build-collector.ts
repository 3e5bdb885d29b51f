import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Skip } from "./skip.ts";

const run = promisify(execFile);
const sources = fileURLToPath(new URL("go", import.meta.url));
const cache = fileURLToPath(new URL("node_modules/.cache", import.meta.url));
const MINUTES = 60_000;

/**
 * Builds the Collector of `go/` from the official modules and gives the path of the program. A program of the
 * same sources, Go version and machine is built once.
 *
 * @throws {Skip} where there is no Go, it is too old, or the modules cannot be fetched
 */
export async function buildCollector(): Promise<string> {
  const version = await goVersion();
  const hash = createHash("sha256").update(version);
  for (const name of ["main.go", "go.mod", "go.sum"]) hash.update(readFileSync(join(sources, name)));
  const program = join(cache, `asvcol-${hash.digest("hex").slice(0, 16)}`);
  if (existsSync(program)) return program;
  mkdirSync(cache, { recursive: true });
  console.log("building the Collector: about two minutes on two cores, once");
  await go(["mod", "download"], 10 * MINUTES).catch((error: unknown) => {
    throw new Skip(`its Go modules cannot be fetched (${firstLine(error)})`);
  });
  const unfinished = `${program}.${process.pid}`;
  await go(["build", "-trimpath", "-o", unfinished, "."], 20 * MINUTES);
  renameSync(unfinished, program);
  return program;
}

async function goVersion(): Promise<string> {
  const wanted = /^go (\d+)\.(\d+)/m.exec(readFileSync(join(sources, "go.mod"), "utf8"))!;
  const { stdout } = await run("go", ["version"]).catch(() => {
    throw new Skip("no Go on this machine");
  });
  const found = /go(\d+)\.(\d+)/.exec(stdout);
  const number = (match: RegExpExecArray | null) => Number(match?.[1] ?? 0) * 1000 + Number(match?.[2] ?? 0);
  if (number(found) < number(wanted)) {
    throw new Skip(`${stdout.trim()} is older than the go ${wanted[1]}.${wanted[2]} that its modules need`);
  }
  return stdout;
}

function go(args: string[], timeout: number): Promise<unknown> {
  // One package at a time, of the Go that is here: the machine may be small and shared.
  const env = { ...process.env, GOFLAGS: "-buildvcs=false -p=1", GOTOOLCHAIN: "local", GOWORK: "off" };
  return run("go", args, { cwd: sources, env, timeout, maxBuffer: 1 << 26 });
}

function firstLine(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string };
  return (stderr ?? message).trim().split("\n")[0] ?? message;
}
