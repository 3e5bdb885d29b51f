import type { RecordPlace } from "../errors/index.ts";
import type { ImportLog } from "./import-run.ts";

/** Gives each run of an import an id of its own; one that occurs again gets a number and a warning. */
export function uniqueIds(log: ImportLog): (id: string, place: RecordPlace) => string {
  const used = new Set<string>();
  const repeats = new Map<string, number>();
  return (id, place) => {
    let own = id;
    let count = repeats.get(id) ?? 1;
    while (used.has(own)) own = `${id}-${++count}`;
    repeats.set(id, count);
    if (own !== id) log.warn("repeated_id", `${id} occurs again and is called ${own}`, place);
    used.add(own);
    return own;
  };
}
