import { stat } from "node:fs/promises";
import type { JsonObject } from "@agent-step-value/sdk";
import { openJsonlWriter, readLines } from "@agent-step-value/sdk/jsonl";

/** The output of a scoring run, which may stop before its end. */
export interface ScoreOutput {
  write(record: JsonObject): Promise<void>;
  /**
   * Puts the file in place. A run that stopped early never replaces a file that holds more records
   * than it wrote; its own records stay in the cache, so nothing is lost.
   */
  commit(whole: boolean): Promise<void>;
  abort(): Promise<void>;
}

export async function openScoreOutput(out: string | undefined): Promise<ScoreOutput> {
  const path = out ?? "-";
  const writer = await openJsonlWriter(path);
  return {
    write: (record) => writer.write(record),
    commit: async (whole) => {
      if (!whole && path !== "-" && (await countLines(path)) > writer.count) await writer.abort();
      else await writer.commit();
    },
    abort: () => writer.abort(),
  };
}

async function countLines(path: string): Promise<number> {
  if (!(await stat(path).catch(() => undefined))?.isFile()) return 0;
  let count = 0;
  for await (const _ of readLines(path)) count++;
  return count;
}
