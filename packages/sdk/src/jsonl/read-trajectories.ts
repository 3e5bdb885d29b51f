import type { RecordPlace } from "../errors/index.ts";
import { decodeLiveRecord, decodeTrajectory, isLiveRecord, type Trajectory } from "../schema/index.ts";
import { countLiveRecords, NO_CENSUS, type LiveCensus } from "./count-live-records.ts";
import { fastSha256 } from "./fast-sha256.ts";
import { LiveTrajectories, type Assembled } from "./live-trajectories.ts";
import { NO_RECORD, parseLine } from "./parse-line.ts";
import { jsonBatches, lineBatches } from "./read-records.ts";
import type { ReadOptions } from "./read-warning.ts";
import { SeenTrajectories } from "./seen-trajectories.ts";
import { openSources, type JsonlSource, type OpenSource } from "./source.ts";

/**
 * The trajectories of any number of files and streams, whole ones and live records mixed, in any
 * order and with duplicates, which count once.
 *
 * One trajectory is held at a time. Live records are held until their trajectory is complete: for
 * files they are counted first, so that it is let go with its last record; for streams that
 * is the end. A live trajectory without `close` has status `partial`.
 *
 * @param sources one or many paths (`-` for standard input) or streams of bytes or text
 * @throws {InvalidRecordError} with file, line and field path: `invalid_record`,
 *   `unknown_schema_version`, `damaged` where stored digests do not match, `conflicting_records` where
 *   one id comes with different content
 * @throws {AsvError} `unreadable_source`
 */
export async function* readTrajectories(
  sources: JsonlSource | readonly JsonlSource[],
  options: ReadOptions = {},
): AsyncGenerator<Trajectory> {
  const opened = await openSources(sources);
  const onWarning = options.onWarning ?? (() => undefined);
  const seen = new SeenTrajectories((place) => readAgain(opened, place, options), onWarning);
  // Counted only when the first live record turns up: most files hold none.
  let census: LiveCensus | undefined;
  let live: LiveTrajectories | undefined;
  // Live records are told apart by their ids already, so only whole trajectories can repeat them.
  const isNew = ({ trajectory, place }: Assembled) =>
    census?.onlyLive === true || seen.isNew(trajectory, place);

  for (const source of opened) {
    for await (const batch of jsonBatches(source, options)) {
      for (const { json, place, bytes } of batch) {
        if (isLiveRecord(json)) {
          if (live === undefined) {
            const repeatable = opened.every((other) => other.repeatable);
            census = repeatable ? await countLiveRecords(opened, options) : NO_CENSUS;
            live = new LiveTrajectories(census.counts, onWarning);
          }
          const complete = live.add(decodeLiveRecord(json, place), place);
          if (complete !== undefined && (await isNew(complete))) yield complete.trajectory;
        } else {
          // Before the caller goes on: the bytes are overwritten with the next chunk.
          const line = fastSha256(bytes);
          const trajectory = decodeTrajectory(json, place);
          if (await seen.isNew(trajectory, place, line)) yield trajectory;
        }
      }
    }
  }
  for (const held of live?.rest() ?? []) if (await isNew(held)) yield held.trajectory;
}

/** Reads the whole trajectory at a place again, to compare it with another of the same id. */
async function readAgain(
  sources: readonly OpenSource[],
  place: RecordPlace,
  options: ReadOptions,
): Promise<Trajectory | undefined> {
  const source = sources.find(({ name, repeatable }) => repeatable && name === place.source);
  if (source === undefined) return undefined;
  for await (const lines of lineBatches(source, options)) {
    const line = lines.find((candidate) => candidate.line === place.line);
    if (line === undefined) continue;
    const json = parseLine(line, source.name, () => undefined);
    return json === NO_RECORD ? undefined : decodeTrajectory(json, place);
  }
  return undefined;
}
