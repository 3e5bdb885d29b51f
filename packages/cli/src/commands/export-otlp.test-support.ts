import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { encodeTrajectory } from "@agent-step-value/sdk";
import { fixtureTrajectory } from "@agent-step-value/sdk/testing";
import { onTestFinished } from "vitest";
import { workplace } from "./in-process.test-support.ts";

interface Received {
  readonly path: string;
  readonly bytes: number;
  readonly headers: IncomingMessage["headers"];
  readonly json: { resourceSpans?: unknown; resourceLogs?: unknown };
}

/** A loopback OTLP receiver. `answer` decides what it says to each request; 200 where it gives nothing. */
export async function receiver(
  answer: (request: Received, response: ServerResponse) => boolean | void = () => false,
) {
  const received: Received[] = [];
  const accepted: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      const seen = {
        path: request.url!,
        bytes: body.length,
        headers: request.headers,
        json: JSON.parse(body.toString()),
      };
      received.push(seen);
      if (answer(seen, response) === true) return;
      accepted.push(seen);
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, port, received, accepted };
}

/** Spans or log records of requests or lines, whatever resource and scope they are in. */
export function recordsOf(batches: readonly object[], kind: "Spans" | "Logs"): Record<string, unknown>[] {
  return batches.flatMap((batch) =>
    ((batch as Record<string, Record<string, Record<string, unknown>[]>[]>)[`resource${kind}`] ?? []).flatMap(
      (resource) =>
        resource[`scope${kind}`]!.flatMap(
          (scope) => scope[kind === "Spans" ? "spans" : "logRecords"] as Record<string, unknown>[],
        ),
    ),
  );
}

export function attributesOf(record: Record<string, unknown>): Record<string, unknown> {
  const pairs = record["attributes"] as { key: string; value: Record<string, unknown> }[];
  return Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]]));
}

/** Runs of made-up length in a file. */
export function setUp(runs = 1, padding = 0) {
  const place = workplace();
  const lines = Array.from({ length: runs }, (_, i) => {
    const trajectory = fixtureTrajectory();
    const step = trajectory.steps[0]!;
    return encodeTrajectory({
      ...trajectory,
      trajectoryId: `run-${i}`,
      success: true,
      steps: Array.from({ length: 3 }, (_step, index) => ({
        ...step,
        stepId: `s-${index}`,
        index,
        stateAfter: { ...step.stateAfter, padding: "x".repeat(padding) },
        label: "harmful",
      })),
    });
  });
  writeFileSync(place.at("runs.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return place;
}
