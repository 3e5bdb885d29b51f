import {
  createRedactionSession,
  isBlockState,
  stateBlocks,
  projectState,
  PROJECTION_VERSION,
  resolvePolicy,
  type ProjectionPolicy,
  type RedactionSession,
  type ResolvedPolicy,
} from "../project/index.ts";
import {
  canonicalJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type RedactionSummary,
} from "../schema/index.ts";
import { boundJson } from "./bound-json.ts";
import { isThenable } from "./error-desk.ts";
import { Snapshot } from "./snapshot.ts";
import { fastSha256 } from "./state-digest.ts";

/** How often each redaction rule fired. */
export type RuleHits = ReadonlyMap<string, number>;

/** Hits of a projection of which nothing usable is left. */
const FAILURES = ["removed-project", "removed-policy", "removed-unreadable"];

/** The rules of a recorder: for states with the caller's `project`, for everything else without. */
export interface RedactionPolicies {
  readonly states: ResolvedPolicy;
  readonly values: ResolvedPolicy;
}

/**
 * Compiles the policies of a recorder.
 *
 * @param project what picks from a live state; in place of the policy's own
 * @throws {InvalidArgumentError} for a policy that cannot be used
 */
export function redactionPolicies(
  policy: ProjectionPolicy = {},
  project: ((state: unknown) => unknown) | undefined = policy.project,
): RedactionPolicies {
  const { project: _, ...rules } = policy;
  return {
    states: resolvePolicy(project === undefined ? rules : { ...rules, project: synchronous(project) }),
    values: resolvePolicy({ ...rules, maxChars: Infinity }),
  };
}

/** An async `project` gives a promise, which is no state; if that rejects, the host must not see it. */
function synchronous(project: (state: unknown) => unknown): (state: unknown) => unknown {
  if (typeof project !== "function") return project;
  return (state) => {
    const picked = project(state);
    if (!isThenable(picked)) return picked;
    picked.then(undefined, () => undefined);
    return undefined;
  };
}

/** Φ for everything that leaves one trajectory: one secret has one placeholder in all of it. */
export class Redactor {
  readonly #policies: RedactionPolicies;
  readonly #session: RedactionSession = createRedactionSession();
  #hits = new Map<string, number>();

  constructor(policies: RedactionPolicies) {
    this.#policies = policies;
  }

  /** A live state as it is now; undefined where it could not be projected at all. Never throws. */
  snapshot(state: unknown): Snapshot | undefined {
    try {
      const projected = projectState(state, this.#policies.states, this.#session);
      const { hits } = projected.report;
      // What is left of such a state is a marker, which an evaluator would score as if the agent wrote it.
      if (FAILURES.some((rule) => hits[rule] !== undefined) && isMarker(projected.state)) return undefined;
      const text = canonicalJson(asBlocks(projected.state as JsonObject));
      return new Snapshot(text, fastSha256(text), new Map(Object.entries(hits)));
    } catch {
      return undefined;
    }
  }

  /** Any value as redacted JSON of at most so many characters; null for what has no JSON. */
  value(value: unknown, maxChars: number): JsonValue {
    const { state, report } = projectState({ value }, this.#policies.values, this.#session);
    for (const [rule, times] of Object.entries(report.hits)) this.#count(rule, times);
    return boundJson((state as JsonObject)["value"] ?? null, maxChars);
  }

  /** As {@link value}; what is no object stands under `value`, and nothing is `{}`. */
  object(value: unknown, maxChars: number): JsonObject {
    if (value === undefined) return {};
    const json = this.value(value, maxChars);
    return isJsonObject(json) ? json : { value: json };
  }

  /** A redacted text; undefined for what is none. */
  text(value: unknown, maxChars: number): string | undefined {
    if (typeof value !== "string") return undefined;
    const text = this.value(value, maxChars);
    return typeof text === "string" ? text : canonicalJson(text);
  }

  /** What was removed since the last call, from all but states. */
  takeHits(): RuleHits {
    const hits = this.#hits;
    this.#hits = new Map();
    return hits;
  }

  /** The hits since the last call and the given ones as a record's summary. */
  takeSummary(...more: readonly (RuleHits | undefined)[]): RedactionSummary {
    for (const hits of more) for (const [rule, times] of hits ?? []) this.#count(rule, times);
    const hits = Object.fromEntries([...this.takeHits()].sort(([a], [b]) => (a < b ? -1 : 1)));
    return { policy: this.#policies.states.name, version: PROJECTION_VERSION, hits };
  }

  #count(rule: string, times: number): void {
    this.#hits.set(rule, (this.#hits.get(rule) ?? 0) + times);
  }
}

/**
 * The form the toolkit writes. Canonical JSON sorts the keys of an object; as blocks they keep the
 * host's order, so that what grows comes last and states share a prefix.
 */
function asBlocks(state: JsonObject): JsonObject {
  return isBlockState(state) ? state : ({ blocks: stateBlocks(state) } as unknown as JsonObject);
}

function isMarker(state: object): boolean {
  const blocks: unknown = Reflect.get(state, "blocks");
  return Array.isArray(blocks) && blocks.length === 1 && /^\[REMOVED:\w+\]$/.test(String(blocks[0]?.text));
}
