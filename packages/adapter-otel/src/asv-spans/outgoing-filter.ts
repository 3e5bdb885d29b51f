import {
  canonicalJson,
  createRedactionSession,
  projectState,
  resolvePolicy,
  stateSha256,
  type JsonObject,
  type ResolvedPolicy,
  type State,
} from "@agent-step-value/sdk";
import type { LeftOut } from "./left-out.ts";

/** A state as it goes out. */
export interface OutgoingState {
  /** Canonical JSON. */
  readonly text: string;
  readonly sha256: string;
}

let policy: ResolvedPolicy | undefined;

/**
 * What must not travel: answers, outcomes, labels and secrets, by the rules of every projection. Ids, times
 * and raw responses are unfit for an evaluator only; a stored file keeps them, and so does its export.
 */
function outgoingPolicy(): ResolvedPolicy {
  return (policy ??= resolvePolicy({
    without: ["key-provider", "key-identifier", "key-timestamp", "key-created-at", "key-created"],
    maxChars: 1_000_000_000,
    maxWork: 1_000_000_000,
    maxValues: 100_000_000,
    maxDepth: 256,
  }));
}

/**
 * Takes out of one trajectory's JSON what must not travel, and counts it as `rule:` and the rule's id. What
 * holds nothing of the kind comes through as it is; states that were captured or imported by this toolkit
 * hold none.
 */
export class OutgoingFilter {
  readonly #leftOut: LeftOut;
  readonly #session = createRedactionSession();
  readonly #states = new WeakMap<State, OutgoingState>();

  constructor(leftOut: LeftOut) {
    this.#leftOut = leftOut;
  }

  state(state: State): OutgoingState {
    let known = this.#states.get(state);
    if (known === undefined) {
      const clean = this.json(state);
      known = { text: canonicalJson(clean), sha256: stateSha256(clean) };
      this.#states.set(state, known);
    }
    return known;
  }

  json(object: JsonObject): JsonObject {
    const { state, report } = projectState(object, outgoingPolicy(), this.#session);
    const hits = Object.entries(report.hits);
    for (const [rule, count] of hits) this.#leftOut.add(`rule:${rule}`, count);
    return hits.length === 0 ? object : (state as JsonObject);
  }

  text(text: string): string {
    return this.json({ text })["text"] as string;
  }
}
