import { AsvError } from "../../errors/index.ts";
import { nodeModule } from "../../jsonl/node-module.ts";

/**
 * What a model file is called in settings and records: its name and the first 16 hex digits of the
 * SHA-256 of its bytes. Its directory is no part of it, so scores travel between machines, and a file
 * that was replaced under the same name is another model.
 *
 * @throws AsvError `unreadable_source` for a file that is not there or cannot be read
 */
export async function modelIdentity(modelPath: string, signal?: AbortSignal): Promise<string> {
  const hash = nodeModule("node:crypto").createHash("sha256");
  const stream = nodeModule("node:fs").createReadStream(modelPath, { highWaterMark: 4 * 1024 * 1024 });
  try {
    for await (const chunk of stream) {
      signal?.throwIfAborted();
      hash.update(chunk as Uint8Array);
    }
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    throw new AsvError(
      "unreadable_source",
      `The model file ${modelPath} cannot be read (${(error as Error).message}). Give the path of a GGUF file.`,
      { path: modelPath },
      error,
    );
  }
  const name = modelPath.split(/[\\/]/).at(-1)!;
  return `${name}@${hash.digest("hex").slice(0, 16)}`;
}
