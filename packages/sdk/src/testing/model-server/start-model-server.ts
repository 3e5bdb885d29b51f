import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isJsonObject, type JsonObject, type JsonValue } from "../../schema/index.ts";
import { behaviourOf, type BadDay, type ServerBehaviour } from "./bad-days.ts";
import { hashCompletion, readAsked } from "./hash-answer.ts";

/** One request as it came. */
export interface SeenRequest {
  /** Counted from 0. */
  n: number;
  path: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed; an empty object where it was no JSON object. */
  body: JsonObject;
}

/** What {@link startModelServer} is told. */
export interface ModelServerOptions {
  /**
   * What happens to a request: a bad day's name, a behaviour, or undefined for a good answer. A list
   * is used up in order.
   */
  script?:
    | readonly (BadDay | ServerBehaviour | undefined)[]
    | ((request: SeenRequest) => BadDay | ServerBehaviour | undefined);
  /** Each answer waits this long. Default 0. */
  latencyMs?: number;
  /** Requests kept to look at, the latest. Default 1000. */
  keep?: number;
}

/** A running server. */
export interface ModelServer {
  /** Ends in `/v1`. */
  baseUrl: string;
  /** The latest requests, oldest first. */
  requests: readonly SeenRequest[];
  readonly counts: {
    readonly requests: number;
    /** Good answers that were taken, with log-probabilities and without. */
    readonly scored: number;
    readonly rationale: number;
    /** Good answers to a body that had one before: paid twice. */
    readonly repeated: number;
    /** Requests whose client was gone before the answer. */
    readonly abandoned: number;
    /** Most requests at the same time. */
    readonly mostAtOnce: number;
  };
  /** Breaks open connections and frees the port. */
  close(): Promise<void>;
}

const LARGEST_BODY = 16 * 2 ** 20;
const LONGEST_HANG_MS = 120_000;

/**
 * A chat-completions server on 127.0.0.1 and a free port, for tests of whatever calls one. Its answers
 * are drawn from a hash of the prompt, so scores are repeatable; its script makes it fail in the ways
 * of real servers.
 */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const { latencyMs = 0, keep = 1000 } = options;
  const script = scripted(options.script);
  const requests: SeenRequest[] = [];
  const counts = { requests: 0, scored: 0, rationale: 0, repeated: 0, abandoned: 0, mostAtOnce: 0 };
  const answered = new Set<string>();
  let running = 0;

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await readBody(request);
    const seen: SeenRequest = {
      n: counts.requests++,
      path: request.url ?? "",
      headers: request.headers,
      body: parsed(text),
    };
    requests.push(seen);
    if (requests.length > keep) requests.shift();
    const day = script(seen);
    const behaviour: ServerBehaviour = day === undefined ? { do: "answer" } : behaviourOf(day);
    if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
    if (behaviour.do === "hang")
      return void setTimeout(() => request.socket.destroy(), LONGEST_HANG_MS).unref();
    if (behaviour.do === "text") return send(response, behaviour.text, behaviour);
    if (behaviour.do === "json") return send(response, JSON.stringify(behaviour.json), behaviour);
    if (response.destroyed) return void counts.abandoned++;
    const asked = readAsked(seen.body);
    const completion = hashCompletion(asked);
    if (behaviour.do === "reset") return breakOff(response, JSON.stringify(completion));
    behaviour.change?.(completion);
    counts[asked.logprobs ? "scored" : "rationale"]++;
    const digest = createHash("sha1").update(text).digest("base64");
    if (answered.has(digest)) counts.repeated++;
    answered.add(digest);
    send(response, JSON.stringify(completion), behaviour);
  };
  const server = createServer((request, response) => {
    counts.mostAtOnce = Math.max(counts.mostAtOnce, ++running);
    response.on("close", () => running--);
    handle(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.on("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    counts,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function scripted(
  script: ModelServerOptions["script"] = [],
): (request: SeenRequest) => BadDay | ServerBehaviour | undefined {
  if (typeof script === "function") return script;
  return ({ n }) => script[n];
}

function send(
  response: ServerResponse,
  text: string,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> },
): void {
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}

function breakOff(response: ServerResponse, text: string): void {
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  response.write(text.slice(0, text.length / 2), () => response.socket?.destroy());
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > LARGEST_BODY) throw new Error("the request is too large");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function parsed(text: string): JsonObject {
  try {
    const json = JSON.parse(text) as JsonValue;
    return isJsonObject(json) ? json : {};
  } catch {
    return {};
  }
}
