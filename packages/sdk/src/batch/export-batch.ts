import type { Trajectory } from "../schema/index.ts";
import { batchCalls } from "./batch-calls.ts";
import { batchFormOf, type BatchOptions } from "./batch-options.ts";
import type { BatchRequest } from "./batch-row.ts";

/** What an export wrote. */
export interface BatchExport {
  /** Requests written, by kind. */
  rationales: number;
  scored: number;
  /** Replies that are in the cache already. */
  cached: number;
  /** Scored calls that cannot be written before their rationales are there: another round. */
  waiting: number;
}

/**
 * The calls of a scoring run as lines of a provider's batch file, one a call that the cache cannot
 * answer, with the cache key as `custom_id` and exactly the body that the evaluator would send.
 *
 * A scored prompt holds the rationale, so a protocol with a generated buffer takes two rounds: the
 * first export writes rationale requests, and once their replies are imported a second one writes the
 * scored ones. Keys of the whole run are held in memory, 64 characters each.
 *
 * @returns a generator of requests whose return value says what was written
 * @throws what `score` throws before its first call; AsvError `incompatible_evaluator` for an
 * evaluator that no batch file can hold
 */
export async function* exportBatch(
  trajectories: AsyncIterable<Trajectory> | Iterable<Trajectory>,
  options: BatchOptions,
): AsyncGenerator<BatchRequest, BatchExport, undefined> {
  const form = batchFormOf(options);
  const count: BatchExport = { rationales: 0, scored: 0, cached: 0, waiting: 0 };
  const seen = new Set<string>();
  for await (const call of batchCalls(trajectories, options)) {
    if (call.kind === "waiting") {
      count.waiting++;
      continue;
    }
    if (seen.has(call.key)) continue;
    seen.add(call.key);
    if ((await options.cache.get(call.key)) !== undefined) {
      count.cached++;
      continue;
    }
    const scored = call.kind === "scored";
    count[scored ? "scored" : "rationales"]++;
    const body = scored ? form.scoredBody(call.request) : form.rationaleBody(call.request);
    yield { custom_id: call.key, method: "POST", url: form.url, body };
  }
  return count;
}
