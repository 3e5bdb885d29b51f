import { createServer, type IncomingMessage } from "node:http";
import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** A sink at work. */
export interface OtlpSink {
  readonly endpoint: string;
  close(): Promise<void>;
}

/**
 * Takes OTLP HTTP requests in JSON on the loopback address and appends each as one line to a file.
 *
 * This is a sink, not a Collector: it answers as one and writes what the exporter sent, but it batches,
 * re-encodes, compresses and rotates nothing. It is here so that the example runs where no Collector is.
 */
export async function startOtlpSink(file: string): Promise<OtlpSink> {
  const server = createServer((request, response) => {
    receive(request, file).then(
      () => response.writeHead(200, { "content-type": "application/json" }).end("{}"),
      () => response.writeHead(400).end(),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function receive(request: IncomingMessage, file: string): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const text = (request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body).toString("utf8");
  // Parsed and written again: one batch must be one line, however it was sent.
  appendFileSync(file, `${JSON.stringify(JSON.parse(text))}\n`);
}
