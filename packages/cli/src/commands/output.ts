import { AsvError } from "@agent-step-value/sdk";
import type { JsonObject } from "@agent-step-value/sdk";
import { openJsonlWriter } from "@agent-step-value/sdk/jsonl";
import type { Io } from "../io.ts";

/** Where a command's records go: a file that appears whole or not at all, or stdout. */
export interface RecordOutput {
  write(record: JsonObject): Promise<void>;
  /** Makes the file appear under its name. */
  commit(): Promise<void>;
  /** Removes what was written so far; the file keeps the content it had. */
  abort(): Promise<void>;
}

/** Opens the output a command was told: `--out FILE`, or stdout without it or for `-`. */
export async function openOutput(out: string | undefined, io: Io): Promise<RecordOutput> {
  return out === undefined || out === "-" ? stdoutOutput(io) : openJsonlWriter(out);
}

/** Runs a producer into an output; a failure leaves no half-written file behind. */
export async function writeRecords(
  out: string | undefined,
  io: Io,
  produce: (write: (record: JsonObject) => Promise<void>) => Promise<void>,
): Promise<void> {
  const output = await openOutput(out, io);
  try {
    await produce((record) => output.write(record));
  } catch (error) {
    await output.abort();
    throw error;
  }
  await output.commit();
}

function stdoutOutput(io: Io): RecordOutput {
  return {
    write: (record) => writeText(io, `${JSON.stringify(record)}\n`),
    commit: async () => {},
    abort: async () => {},
  };
}

/** Writes to stdout and waits when the reader is slower than we are. */
export function writeText(io: Io, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error | null | undefined): void => {
      if (error) reject(new AsvError("unreadable_source", `stdout: ${error.message}`, {}, error));
      else resolve();
    };
    io.stdout.write(text, failed);
  });
}
