import type { RecordPlace } from "../errors/index.ts";
import { digestOf } from "../schema/index.ts";
import type { ImportLog } from "./import-run.ts";

/** Gives a run its id; undefined for one that was there already, word for word. */
export type UniqueIds = (id: string, place: RecordPlace, record: unknown) => string | undefined;

/**
 * Gives each run of an import an id of its own. A record that comes again, from overlapping exports for example, is
 * used once (`repeated_record`): twice it would count twice. Another one under the same id gets a number
 * (`repeated_id`).
 */
export function uniqueIds(log: ImportLog): UniqueIds {
  const used = new Set<string>();
  const repeats = new Map<string, number>();
  const seen = new Map<string, Set<string>>();
  return (id, place, record) => {
    const digest = recordDigest(record);
    const known = seen.get(id) ?? new Set();
    if (digest !== undefined && known.has(digest)) {
      log.warn("repeated_record", `${id} occurs again as it was; used once`, place);
      return undefined;
    }
    if (digest !== undefined) seen.set(id, known.add(digest));
    let own = id;
    let count = repeats.get(id) ?? 1;
    while (used.has(own)) own = `${id}-${++count}`;
    repeats.set(id, count);
    if (own !== id) log.warn("repeated_id", `${id} occurs again and is called ${own}`, place);
    used.add(own);
    return own;
  };
}

/** Undefined for what is nested deeper than JSON can be written; such a record is taken for another one. */
function recordDigest(record: unknown): string | undefined {
  try {
    return digestOf(JSON.stringify(record));
  } catch {
    return undefined;
  }
}
