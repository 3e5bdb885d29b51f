import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Parts } from "./parts.ts";
import { Skip } from "./skip.ts";

export interface ServerOptions {
  modelPath: string;
  threads: number;
  contextSize: number;
  flashAttention: "off" | "auto";
}

export interface ModelServer {
  /** `http://127.0.0.1:PORT/v1`. */
  baseUrl: string;
  /** The instruction sets that the server was compiled for. */
  system: string;
  /** Ends the server; true once its process is gone. */
  stop(): Promise<boolean>;
}

const PATIENCE_MS = 120_000;

/** @throws Skip when the server does not come up */
export async function startServer(parts: Parts, options: ServerOptions): Promise<ModelServer> {
  const port = await freePort();
  const { modelPath, threads, contextSize, flashAttention } = options;
  const script = fileURLToPath(new URL("serve.py", import.meta.url));
  const args = [script, modelPath, port, threads, contextSize, flashAttention].map(String);
  const env = { ...process.env, PYTHONPATH: parts.packages, PYTHONDONTWRITEBYTECODE: "1" };
  const child = spawn(parts.python, args, { env, stdio: ["pipe", "pipe", "pipe"] });
  let log = "";
  child.stderr.on("data", (chunk: Buffer) => (log = `${log}${chunk.toString()}`.slice(-4000)));
  const ended = once(child, "exit");

  const stop = async () => {
    child.stdin.end();
    const stopped = await Promise.race([ended.then(() => true), delay(5000).then(() => false)]);
    if (stopped) return true;
    child.kill("SIGKILL");
    return Promise.race([ended.then(() => true), delay(5000).then(() => false)]);
  };
  const ready = async () => {
    for await (const line of createInterface(child.stdout)) {
      if (!line.startsWith("{")) continue;
      const { address, system } = JSON.parse(line) as { address: string; system: string };
      const { hostname } = new URL(address);
      if (hostname !== "127.0.0.1")
        throw new Error(`the server listens on ${address}, not on loopback alone`);
      await healthy(address);
      return { baseUrl: `${address}/v1`, system };
    }
    throw new Error(`the server ended: ${log.trim().split("\n").at(-1)}`);
  };
  try {
    const patience = delay(PATIENCE_MS).then(() => Promise.reject(new Error("no answer in two minutes")));
    return { ...(await Promise.race([ready(), patience])), stop };
  } catch (error) {
    await stop();
    throw new Skip(`llama.cpp's server did not start: ${(error as Error).message}`);
  }
}

async function healthy(address: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${address}/health`).catch(() => undefined);
    if (answer?.ok === true) return;
    await delay(200);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

function delay(ms: number): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, ms).unref();
  });
}
