import {
  canonicalJson,
  createRedactionSession,
  isJsonObject,
  projectState,
  resolvePolicy,
  type JsonObject,
  type JsonValue,
  type ProjectionPolicy,
  type ResolvedPolicy,
} from "@agent-step-value/sdk";

/** How often each redaction rule fired. */
export type Hits = Readonly<Record<string, number>>;

/** Longest state text of another writer that is parsed within the host's own call. */
const LONGEST_STATE = 262_144;

/** Hits of a projection of which nothing usable is left. */
const FAILURES = ["removed-project", "removed-policy", "removed-unreadable"];

/** The rules for what other writers put on spans: for states, and for everything else. */
export interface ForeignPolicies {
  readonly states: ResolvedPolicy;
  readonly values: ResolvedPolicy;
}

/** @throws {InvalidArgumentError} for a policy that cannot be used */
export function foreignPolicies(policy: ProjectionPolicy = {}): ForeignPolicies {
  const { project: _, ...rules } = policy;
  return { states: resolvePolicy(policy), values: resolvePolicy({ ...rules, maxChars: Infinity }) };
}

/** Φ for the spans of other writers in one trajectory: a secret has one placeholder in all of it. */
export class ForeignStates {
  readonly #policies: ForeignPolicies;
  readonly #session = createRedactionSession();

  constructor(policies: ForeignPolicies) {
    this.#policies = policies;
  }

  get policyName(): string {
    return this.#policies.states.name;
  }

  /** A state's JSON text projected, as canonical JSON; undefined for what is no state or cannot be projected. */
  project(text: string): { text: string; hits: Hits } | undefined {
    if (text.length > LONGEST_STATE) return undefined;
    const parsed = parse(text);
    if (!isJsonObject(parsed)) return undefined;
    const { state, report } = projectState(parsed, this.#policies.states, this.#session);
    if (FAILURES.some((rule) => report.hits[rule] !== undefined)) return undefined;
    return { text: canonicalJson(state as JsonObject), hits: report.hits };
  }

  /** A redacted text of at most so many characters. */
  text(text: string, maxChars: number): string {
    const { state } = projectState({ value: text.slice(0, maxChars) }, this.#policies.values, this.#session);
    const value = (state as JsonObject)["value"];
    return typeof value === "string" ? value.slice(0, maxChars) : "";
  }
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
