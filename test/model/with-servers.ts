import { startServer, type ModelServer, type ServerOptions } from "./model-server.ts";
import type { Parts } from "./parts.ts";
import type { Tally } from "./tally.ts";

export type Servers = [ModelServer, ...ModelServer[]];

/** Starts servers, and ends them whatever becomes of the work. */
export async function withServers<T>(
  count: number,
  parts: Parts,
  options: ServerOptions,
  tally: Tally,
  work: (servers: Servers) => Promise<T>,
): Promise<T> {
  const servers: ModelServer[] = [];
  try {
    while (servers.length < count) servers.push(await startServer(parts, options));
    return await work(servers as Servers);
  } finally {
    const gone = await Promise.all(servers.map((server) => server.stop()));
    tally.check("no server is left", gone.every(Boolean));
  }
}
