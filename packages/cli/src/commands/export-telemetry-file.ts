import { AsvError } from "@agent-step-value/sdk";
import type { BatchTarget } from "./export-batches.ts";
import type { Io } from "../io.ts";
import { openPlacedFile, type PlacedFile } from "../records/placed-file.ts";
import { withoutInterrupt } from "../records/unfinished-outputs.ts";

export type Encoding = "json" | "proto";

/** Telemetry in files, one a signal, which appear whole or not at all. */
export interface TelemetryFiles extends BatchTarget {
  /** Puts the files in place and gives their names. */
  commit(): Promise<string[]>;
  abort(): Promise<void>;
}

/** A file that is made when the first batch comes. */
class LazyFile {
  readonly path: string;
  #file: PlacedFile | undefined;

  constructor(path: string) {
    this.path = path;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#file ??= await openPlacedFile(this.path);
    await this.#file.write(bytes);
  }

  /** False where nothing was written. */
  async commit(): Promise<boolean> {
    await this.#file?.commit();
    return this.#file !== undefined;
  }

  async abort(): Promise<void> {
    await this.#file?.abort();
  }
}

/**
 * Writes batches as the OTLP file exporter does: JSON, one batch a line, or protobuf, each batch behind its
 * length in four bytes. Log records go to a file beside, `runs.logs.jsonl` for `runs.jsonl`, since one file
 * holds one signal. On standard output, where there is only one stream, lines of both are mixed.
 *
 * @param out path, or `-` for standard output, JSON only
 * @param only the signal that `out` is for, where there is but one
 */
export async function openTelemetryFiles(
  out: string,
  encoding: Encoding,
  io: Io,
  only?: "logs",
): Promise<TelemetryFiles> {
  const { JsonTraceSerializer, JsonLogsSerializer, ProtobufTraceSerializer, ProtobufLogsSerializer } =
    await import("@opentelemetry/otlp-transformer");
  const [trace, log] =
    encoding === "json"
      ? [JsonTraceSerializer, JsonLogsSerializer]
      : [ProtobufTraceSerializer, ProtobufLogsSerializer];
  const framed = (bytes: Uint8Array | undefined): Uint8Array => frame(bytes ?? new Uint8Array(), encoding);
  if (out === "-") {
    if (encoding === "proto") {
      throw new AsvError("invalid_argument", "--encoding proto is binary; give --out FILE.");
    }
    return {
      traces: (spans) => print(io, framed(trace.serializeRequest(spans))),
      logs: (records) => print(io, framed(log.serializeRequest(records))),
      commit: async () => [],
      abort: async () => undefined,
    };
  }
  const traceFile = new LazyFile(out);
  const logFile = new LazyFile(telemetryPaths(out, only).at(-1)!);
  return {
    traces: (spans) => traceFile.write(framed(trace.serializeRequest(spans))),
    logs: (records) => logFile.write(framed(log.serializeRequest(records))),
    async commit() {
      // No records is an empty file, not the one of an earlier run.
      if (only === undefined) await traceFile.write(new Uint8Array());
      else await logFile.write(new Uint8Array());
      const written: string[] = [];
      await withoutInterrupt(async () => {
        for (const file of [logFile, traceFile]) if (await file.commit()) written.unshift(file.path);
      });
      return written;
    },
    async abort() {
      await traceFile.abort();
      await logFile.abort();
    },
  };
}

function frame(bytes: Uint8Array, encoding: Encoding): Uint8Array {
  if (encoding === "json") return Buffer.concat([bytes, Buffer.from("\n")]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function print(io: Io, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    io.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

/** The files of an export: that of the spans, if there are any, and that of the log records. */
export function telemetryPaths(out: string, only?: "logs"): string[] {
  return only === "logs" ? [out] : [out, besidePath(out)];
}

/** `runs.otlp.jsonl` -> `runs.otlp.logs.jsonl` */
function besidePath(path: string): string {
  const at = path.search(/\.[^./\\]+$/);
  return at < 0 ? `${path}.logs` : `${path.slice(0, at)}.logs${path.slice(at)}`;
}
