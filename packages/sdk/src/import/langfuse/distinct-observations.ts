import type { RecordPlace } from "../../errors/index.ts";
import type { ImportLog } from "../import-run.ts";
import type { LangfuseTrace } from "./langfuse-document.ts";
import { isStripped, readObservation, type Observation } from "./observation.ts";

/** Every observation once; of two with one id the one with content, or the one that ended later: it was written over. */
export function distinctObservations(
  { observations: values }: LangfuseTrace,
  id: string,
  place: RecordPlace,
  log: ImportLog,
): Observation[] {
  const byId = new Map<string, Observation>();
  let bad = 0;
  let twice = 0;
  for (const [order, value] of values.entries()) {
    const observation = readObservation(value, order);
    if (observation === undefined) {
      bad += 1;
      continue;
    }
    const known = byId.get(observation.id);
    if (known !== undefined) twice += 1;
    if (known === undefined || replaces(observation, known)) byId.set(observation.id, observation);
  }
  if (bad > 0) log.warn("bad_observation", `${id}: ${bad} observations without an id; left out`, place);
  if (twice > 0)
    log.warn("duplicate_observation", `${id}: ${twice} observations occur again; used once`, place);
  return [...byId.values()];
}

function replaces(later: Observation, known: Observation): boolean {
  return isStripped(known) || (!isStripped(later) && later.end > known.end);
}
