import type { BatchForm } from "../evaluators/evaluator.ts";
import type { JsonValue, Trajectory } from "../schema/index.ts";
import { failureReason } from "../score/failure-reason.ts";
import { checkRationaleReply, replyScores, storable } from "../score/stored-reply.ts";
import { batchCalls, type BatchCall } from "./batch-calls.ts";
import { batchFormOf, type BatchOptions } from "./batch-options.ts";
import { readBatchRow } from "./batch-row.ts";

/** What an import did. */
export interface BatchImport {
  rows: number;
  /** Replies put into the cache, by kind. */
  rationales: number;
  scored: number;
  /** Rows whose reply was in the cache already, from before or from an equal row. */
  duplicates: number;
  /** Rows that answer none of these runs' calls, or are no batch rows. */
  unknown: number;
  /** Rows without a reply that can be used. */
  failed: number;
  /** Calls still without a reply. */
  missing: number;
  /** Scored calls that had no key before these rationales came: the next round writes them. */
  waiting: number;
}

/** What {@link importBatch} is told on top. */
export interface BatchImportOptions extends BatchOptions {
  /** Told of each row without a usable reply. */
  onFailure?: (failure: { customId: string; reason: string }) => void;
}

/** A source that can be read more than once. */
export type Reread<T> = () => AsyncIterable<T> | Iterable<T>;

/** What is needed to read a reply: no prompt, since there are as many of these as calls. */
type OpenCall =
  { kind: "rationale" } | { kind: "scored"; ids: string[]; labelToCandidate: Record<string, string> };

/**
 * Puts the replies of a provider's batch output into the cache, under the keys that a scoring run
 * looks up; that run then makes no call for them, and writes what it would have written after asking
 * directly. A reply is looked at first as `score` looks at one: what cannot be used is not kept.
 *
 * Runs, options and cache must be those of the export, since the key of a call is made of them. Output
 * of both rounds may be given at once, in any order.
 *
 * @param rows parsed lines; read again for each round that becomes readable
 * @throws what `exportBatch` throws
 */
export async function importBatch(
  trajectories: Reread<Trajectory>,
  rows: Reread<unknown>,
  options: BatchImportOptions,
): Promise<BatchImport> {
  const form = batchFormOf(options);
  const stored = new Map<string, OpenCall["kind"]>();
  const failed = new Map<string, string>();
  for (;;) {
    const { open, known, waiting } = await openCalls(trajectories(), options);
    const before = stored.size;
    const count = { rows: 0, duplicates: 0, unknown: 0 };
    const seen = new Set<string>();
    for await (const json of rows()) {
      count.rows++;
      const row = readBatchRow(json);
      if (row === undefined || !known.has(row.customId)) {
        count.unknown++;
        continue;
      }
      const { customId } = row;
      const call = open.get(customId);
      // A row stored by the round before is read again, and is then no double.
      if (call === undefined && (seen.has(customId) || !stored.has(customId))) count.duplicates++;
      seen.add(customId);
      if (call === undefined) continue;
      const read = row.failure === undefined ? attempt(() => replyOf(form, call, row.body, options)) : row;
      if (read.failure !== undefined) {
        failed.set(customId, read.failure);
        continue;
      }
      await options.cache.put(customId, read.value);
      failed.delete(customId);
      open.delete(customId);
      stored.set(customId, call.kind);
    }
    // Rationales that came now make keys of scored calls known, whose rows may be among the unknown.
    if (stored.size > before && waiting > 0 && count.unknown > 0) continue;
    for (const [customId, reason] of failed) options.onFailure?.({ customId, reason });
    const kinds = [...stored.values()];
    const rationales = kinds.filter((kind) => kind === "rationale").length;
    const scored = kinds.length - rationales;
    return { ...count, rationales, scored, failed: failed.size, missing: open.size, waiting };
  }
}

/** The calls the cache cannot answer, by key, and all keys there are. */
async function openCalls(trajectories: ReturnType<Reread<Trajectory>>, options: BatchOptions) {
  const open = new Map<string, OpenCall>();
  const known = new Set<string>();
  let waiting = 0;
  for await (const call of batchCalls(trajectories, options)) {
    if (call.kind === "waiting") waiting++;
    else if (!known.has(call.key)) {
      known.add(call.key);
      if ((await options.cache.get(call.key)) !== undefined) continue;
      open.set(call.key, openCall(call));
    }
  }
  return { open, known, waiting };
}

function openCall(call: Exclude<BatchCall, { kind: "waiting" }>): OpenCall {
  if (call.kind === "rationale") return { kind: "rationale" };
  const ids = call.unit.candidates.map(({ id }) => id);
  return { kind: "scored", ids, labelToCandidate: { ...call.request.labelToCandidate } };
}

/** The reply in the form it is kept in, once it was seen to be usable. */
function replyOf(form: BatchForm, call: OpenCall, body: JsonValue, { protocol }: BatchOptions): JsonValue {
  if (call.kind === "rationale") {
    const value = storable(form.readRationale(body));
    checkRationaleReply(value);
    return value;
  }
  const value = storable(form.readScored(body));
  replyScores(value, call.ids, call.labelToCandidate, protocol.normalisation);
  return value;
}

function attempt(read: () => JsonValue): { value: JsonValue; failure?: never } | { failure: string } {
  try {
    return { value: read() };
  } catch (error) {
    return { failure: failureReason(error) };
  }
}
