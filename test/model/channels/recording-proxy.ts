import { once } from "node:events";
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A body that was sent to a model. */
export interface SentBody {
  path: string;
  body: string;
}

export interface RecordingProxy {
  /** To be given to `asv score` in the server's place. */
  baseUrl: string;
  /** Every request so far, in the order they came. */
  sent: readonly SentBody[];
  close(): Promise<void>;
}

/** Passes everything on to a model's server and keeps what was sent: what is not in here, the model was not told. */
export async function startProxy(upstream: string): Promise<RecordingProxy> {
  const sent: SentBody[] = [];
  const origin = new URL(upstream).origin;
  const server = createServer((incoming, outgoing) => {
    passOn(incoming, outgoing, origin, sent).catch((error: unknown) => {
      if (!outgoing.headersSent) outgoing.writeHead(502);
      outgoing.end(String(error));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}${new URL(upstream).pathname}`,
    sent,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function passOn(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  origin: string,
  sent: SentBody[],
): Promise<void> {
  const { method = "GET", url = "/", headers } = incoming;
  const body = await buffer(incoming);
  sent.push({ path: `${method} ${url}`, body: body.toString("utf8") });
  const { host: _, ...kept } = headers;
  // No time limit of its own: on a busy machine a rationale takes minutes, and the client has the last word.
  const call = request(new URL(url, origin), { method, headers: kept });
  outgoing.on("close", () => call.destroy());
  call.end(body);
  const [reply] = (await once(call, "response")) as [IncomingMessage];
  outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
  outgoing.end(await buffer(reply));
}
