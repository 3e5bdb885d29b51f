import { join } from "node:path";
import { AsvError, InvalidArgumentError } from "../../errors/index.ts";
import type { ScoreCache } from "../score-cache.ts";
import { makeDirectory } from "./make-directory.ts";
import { openShardFile, type ShardFile } from "./shard-file.ts";

const KEY = /^[0-9a-f]{64}$/;

/**
 * A cache in a directory: `replies-0.jsonl` to `replies-f.jsonl`, one line a reply, chosen by the
 * key's first digit. The files can be read, compared, merged by concatenation, and deleted.
 *
 * A reply is on its way to the disk before its record is seen, so a run that is killed at any moment
 * asks nothing twice that it has recorded. Several processes may use one directory.
 *
 * @param directory created when absent
 * @throws AsvError `unreadable_source`, here or later, with the path
 */
export function fileCache(directory: string): ScoreCache {
  const files = new Map<string, ShardFile>();
  let closed = false;
  try {
    makeDirectory(directory);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown reason";
    const message = `The cache directory ${directory} cannot be made: ${reason}.`;
    throw new AsvError("unreadable_source", message, { path: directory }, error);
  }
  const fileOf = (key: string): ShardFile => {
    if (closed)
      throw new AsvError("unreadable_source", `The cache ${directory} was closed.`, { path: directory });
    if (!KEY.test(key)) throw new InvalidArgumentError("key", "64 lower-case hex digits", key);
    const digit = key[0]!;
    let file = files.get(digit);
    if (file === undefined) {
      file = openShardFile(join(directory, `replies-${digit}.jsonl`));
      files.set(digit, file);
    }
    return file;
  };
  return {
    get: async (key) => fileOf(key).get(key),
    put: async (key, value) => fileOf(key).put(key, value),
    close: async () => {
      closed = true;
      for (const file of files.values()) file.close();
      files.clear();
    },
  };
}
