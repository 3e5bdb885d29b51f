import { realpath, rename, stat } from "node:fs/promises";
import { AsvError, isJsonObject, type JsonObject } from "@agent-step-value/sdk";
import { openJsonlWriter, readLines } from "@agent-step-value/sdk/jsonl";
import { openUnfinished } from "./unfinished-outputs.ts";

/** The output of a scoring run, which may stop before its end. */
export interface ScoreOutput {
  write(record: JsonObject): Promise<void>;
  /**
   * Puts the file in place and says where. A run that stopped early never replaces what it does not
   * outdo: its records then stand in `FILE.partial`, and FILE keeps what it had.
   *
   * @param whole the run went through to its end
   */
  commit(whole: boolean): Promise<string>;
  abort(): Promise<void>;
}

export async function openScoreOutput(out: string | undefined): Promise<ScoreOutput> {
  const path = out ?? "-";
  if (path === "-" || (await isSpecial(path))) {
    const writer = await openUnfinished(() => openJsonlWriter(path));
    return {
      write: (record) => writer.write(record),
      commit: () => writer.commit().then(() => path),
      abort: () => writer.abort(),
    };
  }
  const target = await realpath(path).catch(() => path);
  const aside = `${target}.partial`;
  const writer = await openUnfinished(() => openJsonlWriter(aside));
  let protocolId: unknown;
  let scores = 0;
  return {
    write: (record) => {
      if (record["record"] === "protocol") protocolId = record["protocol_id"];
      if (record["record"] === "score") scores++;
      return writer.write(record);
    },
    commit: async (whole) => {
      await writer.commit();
      if (!whole && !(await isOutdone(target, protocolId, scores))) return `${path}.partial`;
      await rename(aside, target).catch((error: NodeJS.ErrnoException) => {
        const message = `${path}: cannot be put in place (${error.code}); the scores stand in ${aside}.`;
        throw new AsvError("unreadable_source", message, { source: path }, error);
      });
      return path;
    },
    abort: () => writer.abort(),
  };
}

/** A pipe, terminal or device is written as it is; there is nothing to replace. */
async function isSpecial(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

/** Whether a file is missing, or holds no more scores than this run and none of another protocol. */
async function isOutdone(path: string, protocolId: unknown, scores: number): Promise<boolean> {
  if ((await stat(path).catch(() => undefined)) === undefined) return true;
  let held = 0;
  try {
    for await (const { json } of readLines(path)) {
      if (!isJsonObject(json) || json["protocol_id"] !== protocolId) return false;
      if (json["record"] === "score") held++;
    }
  } catch {
    return false; // what cannot be read is not ours to replace
  }
  return held <= scores;
}
