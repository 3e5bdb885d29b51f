import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { createServer, connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

/** A Collector at work. */
export interface Collector {
  /** Base address of its OTLP HTTP receiver, and address of its gRPC one. */
  readonly http: string;
  readonly grpc: string;
  /** Folder that it writes to. */
  readonly out: string;
  /** Ends it the polite way: everything it holds is in its files afterwards. Gives what it logged. */
  stop(): Promise<string>;
}

export interface CollectorOptions {
  readonly config: string;
  readonly out: string;
  /** Names of feature gates to switch on. */
  readonly gates?: readonly string[];
}

const READY_WITHIN = 30_000;

/** Starts a Collector on free ports of the loopback address. */
export async function startCollector(
  program: string,
  { config, out, gates = [] }: CollectorOptions,
): Promise<Collector> {
  mkdirSync(out, { recursive: true });
  const [httpPort, grpcPort] = await freePorts(2);
  const args = ["--config", config, ...(gates.length > 0 ? [`--feature-gates=${gates.join(",")}`] : [])];
  const env = {
    ...process.env,
    ASV_OUT: out,
    ASV_OTLP_HTTP_PORT: String(httpPort),
    ASV_OTLP_GRPC_PORT: String(grpcPort),
  };
  const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  let log = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => {
      if (log.length < 1_000_000) log += text;
    });
  }
  const ended = once(child, "exit");
  const endIt = (): boolean => child.kill("SIGKILL");
  process.once("exit", endIt);
  const began = Date.now();
  while (!(await isOpen(httpPort!)) || !(await isOpen(grpcPort!))) {
    if (child.exitCode !== null || Date.now() - began > READY_WITHIN) {
      endIt();
      throw new Error(`the Collector did not start:\n${log}`);
    }
    await wait(50);
  }
  return {
    http: `http://127.0.0.1:${httpPort}`,
    grpc: `http://127.0.0.1:${grpcPort}`,
    out,
    async stop() {
      child.kill("SIGTERM");
      await ended;
      process.off("exit", endIt);
      return log;
    },
  };
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(
    servers.map(async (server) => {
      server.close();
      await once(server, "close");
    }),
  );
  return ports;
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
