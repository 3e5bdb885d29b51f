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
  type Block,
  type JsonObject,
  type JsonValue,
  type RedactionSummary,
} from "../schema/index.ts";
import { boundJson } from "./bound-json.ts";
import { isThenable } from "./error-desk.ts";
import { wholeBlocks } from "./known-blocks.ts";
import { KnownTexts, SHORT_TEXT } from "./known-texts.ts";
import { knownValue, type KnownParts } from "./known-value.ts";
import { Snapshot } from "./snapshot.ts";
import { fastSha256 } from "./state-digest.ts";

/** How often each redaction rule fired. */
export type RuleHits = ReadonlyMap<string, number>;

/** Hits of a projection of which nothing usable is left. */
const FAILURES = ["removed-project", "removed-policy", "removed-unreadable"];
const NO_HITS: RuleHits = new Map();

/** Characters of texts a recorder remembers, and those of states a trajectory does. */
const RECORDER_CHARS = 200_000;
const TRAJECTORY_CHARS = 4_000_000;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The rules of a recorder: for states with the caller's `project`, for everything else without. */
export interface RedactionPolicies {
  readonly states: ResolvedPolicy;
  readonly values: ResolvedPolicy;
  /**
   * Texts that all trajectories need not be searched again for. Undefined where a rule, detector or
   * limit is the caller's own: such a rule may answer otherwise the next time, and a limit holds for
   * a state as a whole.
   */
  readonly known: KnownTexts | undefined;
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
    known: isRepeatable(rules) ? new KnownTexts(RECORDER_CHARS) : undefined,
  };
}

const OWN_RULES = ["keyRules", "textRules", "detectors", "maxDepth", "maxWork", "maxValues"] as const;

function isRepeatable(rules: ProjectionPolicy): boolean {
  return OWN_RULES.every((name) => rules[name] === undefined);
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
export class Redactor implements KnownParts {
  readonly #policies: RedactionPolicies;
  readonly #session: RedactionSession = createRedactionSession();
  /** Longer texts of this trajectory's states that the rules leave as they are. */
  readonly #known = new KnownTexts(TRAJECTORY_CHARS);
  #last: Snapshot | undefined;
  #hits = new Map<string, number>();

  constructor(policies: RedactionPolicies) {
    this.#policies = policies;
  }

  /** A live state as it is now; undefined where it could not be projected at all. Never throws. */
  snapshot(state: unknown): Snapshot | undefined {
    try {
      const known = this.#knownBlocks(state);
      if (known !== undefined) return this.#keep(JSON.stringify({ blocks: known }), NO_HITS);
      const projected = projectState(state, this.#policies.states, this.#session);
      const { hits } = projected.report;
      // What is left of such a state is a marker, which an evaluator would score as if the agent wrote it.
      if (FAILURES.some((rule) => hits[rule] !== undefined) && isMarker(projected.state)) return undefined;
      const text = canonicalJson(asBlocks(projected.state as JsonObject));
      return this.#keep(text, new Map(Object.entries(hits)));
    } catch {
      return undefined;
    }
  }

  /** A state that did not change is digested once. */
  #keep(text: string, hits: RuleHits): Snapshot {
    const last = this.#last;
    const sha256 = last !== undefined && last.text === text ? last.sha256 : fastSha256(text);
    this.#last = new Snapshot(text, sha256, hits);
    return this.#last;
  }

  /**
   * Blocks of which nothing is removed, in the order of canonical JSON: those that came before are not
   * searched again. Undefined for all other states.
   *
   * Each text is redacted by itself, whatever stands around it; new ones are therefore projected alone.
   */
  #knownBlocks(state: unknown): Block[] | undefined {
    const { states, known } = this.#policies;
    if (known === undefined || states.project !== undefined) return undefined;
    const blocks = wholeBlocks(state, states.maxChars);
    if (blocks === undefined) return undefined;
    const fresh = blocks.filter(({ name, text }) => !this.#isKnownInState(text, name));
    if (fresh.length === 0) return blocks;
    const { report } = projectState({ blocks: fresh }, states, this.#session);
    if (Object.keys(report.hits).length > 0 || report.truncated !== undefined) return undefined;
    for (const { name, text } of fresh) {
      this.#remember(text, known);
      if (name !== undefined) this.#remember(name, known);
    }
    return blocks;
  }

  #isKnownInState(text: string, name: string | undefined): boolean {
    if (name !== undefined && !this.#isKnownText(name)) return false;
    return this.#isKnownText(text);
  }

  #isKnownText(text: string): boolean {
    const known = text.length < SHORT_TEXT ? this.#policies.known : this.#known;
    return known?.has(text) === true;
  }

  #remember(text: string, known: KnownTexts): void {
    (text.length < SHORT_TEXT ? known : this.#known).add(text);
  }

  isKnown(text: string): boolean {
    const { known, values } = this.#policies;
    if (known?.has(text) === true) return true;
    // No built-in rule finds anything in a run id, and every run has another.
    return text.length === 36 && values.builtInTextRules && UUID.test(text);
  }

  isFreeName(name: string): boolean {
    return this.#policies.values.keyRulesOf(name).length === 0;
  }

  /** Any value as redacted JSON of at most so many characters; null for what has no JSON. */
  value(value: unknown, maxChars: number): JsonValue {
    const { values, known } = this.#policies;
    const copy = known === undefined ? undefined : knownValue(value, maxChars, this);
    if (copy !== undefined) return copy;
    const { state, report } = projectState({ value }, values, this.#session);
    const json = (state as JsonObject)["value"] ?? null;
    const hits = Object.entries(report.hits);
    if (hits.length === 0) known?.addAll(json);
    for (const [rule, times] of hits) this.#count(rule, times);
    return boundJson(json, maxChars);
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
    if (hits.size === 0) return NO_HITS;
    this.#hits = new Map();
    return hits;
  }

  /** The hits since the last call and the given ones as a record's summary. */
  takeSummary(...more: readonly (RuleHits | undefined)[]): RedactionSummary {
    for (const hits of more) {
      if (hits !== undefined && hits.size > 0) for (const [rule, times] of hits) this.#count(rule, times);
    }
    const hits =
      this.#hits.size === 0
        ? {}
        : Object.fromEntries([...this.takeHits()].sort(([a], [b]) => (a < b ? -1 : 1)));
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
