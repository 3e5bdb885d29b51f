import { isLiveRecord } from "../schema/index.ts";
import type { RawLine } from "./line-splitter.ts";
import { NO_RECORD, parseLine } from "./parse-line.ts";
import { lineBatches } from "./read-records.ts";
import type { ReadOptions } from "./read-warning.ts";
import type { OpenSource } from "./source.ts";

/** How the toolkit's own writer begins a live record, up to a plain trajectory id. */
const HEAD = /^\{"schema_version":"asv\.v1","record":"(?:open|step|close)","trajectory_id":"([ !#-[\]-~]+)"/;
const HEAD_BYTES = 512;

const NOT_LIVE = Symbol("not live");

/** What a first pass over the sources found. */
export interface LiveCensus {
  /** How many live records each trajectory has; empty where that cannot be known beforehand. */
  readonly counts: ReadonlyMap<string, number>;
  /** True where no whole trajectory stands beside the live records. */
  readonly onlyLive: boolean;
}

/** For sources that can be read only once. */
export const NO_CENSUS: LiveCensus = { counts: new Map(), onlyLive: false };

/**
 * Counts the live records of every trajectory, so that the reading pass can let a trajectory go
 * with its last record. Lines that cannot be read are passed over here: the reading pass reports them.
 */
export async function countLiveRecords(
  sources: readonly OpenSource[],
  options: ReadOptions,
): Promise<LiveCensus> {
  const counts = new Map<string, number>();
  let onlyLive = true;
  for (const source of sources) {
    for await (const lines of lineBatches(source, options)) {
      for (const line of lines) {
        let id = ownHead(line.bytes);
        if (id === undefined && (onlyLive || line.bytes.includes('"record"'))) {
          const found = parsedId(line, source.name);
          if (found === NOT_LIVE) onlyLive = false;
          else id = found;
        }
        if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
      }
    }
  }
  return { counts, onlyLive };
}

function ownHead(bytes: Buffer): string | undefined {
  const found = HEAD.exec(bytes.toString("latin1", 0, HEAD_BYTES));
  if (found === null) return undefined;
  const end = found[0].length - 1;
  // A fresh string: a piece of the match would keep the whole head in memory.
  return bytes.toString("latin1", end - found[1]!.length, end);
}

function parsedId(line: RawLine, source: string): string | typeof NOT_LIVE | undefined {
  try {
    const json = parseLine(line, source, () => undefined);
    if (json === NO_RECORD) return undefined;
    if (!isLiveRecord(json)) return NOT_LIVE;
    const id = json["trajectory_id"];
    return typeof id === "string" || typeof id === "number" ? String(id) : undefined;
  } catch {
    return undefined;
  }
}
