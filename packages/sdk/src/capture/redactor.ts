import {
  createRedactionSession,
  isBlockState,
  stateBlocks,
  projectState,
  PROJECTION_VERSION,
  type RedactionSession,
} from "../project/index.ts";
import { leavesText } from "../project/leaves-text.ts";
import {
  canonicalJson,
  isJsonObject,
  type Block,
  type JsonObject,
  type JsonValue,
  type RedactionSummary,
} from "../schema/index.ts";
import { boundJson } from "./bound-json.ts";
import { wholeBlocks } from "./known-blocks.ts";
import { KnownTexts, SHORT_TEXT } from "./known-texts.ts";
import { knownValue, type KnownParts } from "./known-value.ts";
import type { RedactionPolicies } from "./redaction-policies.ts";
import { NO_HITS, Snapshot } from "./snapshot.ts";
import { fastSha256 } from "./state-digest.ts";

/** How often each redaction rule fired. */
export type RuleHits = ReadonlyMap<string, number>;

/** Hits of a projection of which nothing usable is left. */
const FAILURES = ["removed-project", "removed-policy", "removed-unreadable"];

/** Characters of the texts of states that a trajectory remembers. */
const TRAJECTORY_CHARS = 4_000_000;
const ANY_TYPE = /type$/i;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

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
   */
  #knownBlocks(state: unknown): Block[] | undefined {
    const { states, known } = this.#policies;
    if (known === undefined || states.project !== undefined) return undefined;
    const blocks = wholeBlocks(state, states.maxChars);
    if (blocks === undefined) return undefined;
    for (const { name, text } of blocks) {
      if (name !== undefined && !this.#leavesKnown(name, known)) return undefined;
      if (!this.#leavesKnown(text, known)) return undefined;
    }
    return blocks;
  }

  /** Each text of a block is redacted by itself, whatever stands around it. */
  #leavesKnown(text: string, short: KnownTexts): boolean {
    const known = text.length < SHORT_TEXT ? short : this.#known;
    if (known.has(text)) return true;
    if (!leavesText(text, this.#policies.states)) return false;
    known.add(text);
    return true;
  }

  /** True where blocks are projected each by itself and always the same way. */
  get projectsBlocksAlone(): boolean {
    return this.#policies.known !== undefined && this.#policies.states.project === undefined;
  }

  /** Most characters of a state's texts and names that are not cut. */
  get maxStateChars(): number {
    return this.#policies.states.maxChars;
  }

  /** True for a text or name of a block that a projection leaves as it is. Long ones are not remembered. */
  leavesInBlock(text: string): boolean {
    const { known, states } = this.#policies;
    if (known === undefined) return false;
    if (text.length < SHORT_TEXT) return this.#leavesKnown(text, known);
    return leavesText(text, states);
  }

  isLeft(text: string): boolean {
    const { known, values } = this.#policies;
    if (known === undefined) return false;
    if (known.has(text)) return true;
    // A longer one can be bytes.
    if (text.length >= SHORT_TEXT) return false;
    // No built-in rule finds anything in a run id, and every run has another.
    if (text.length === 36 && values.builtInTextRules && UUID.test(text)) return true;
    if (!leavesText(text, values)) return false;
    known.add(text);
    return true;
  }

  isFreeName(name: string): boolean {
    const { freeNames, values } = this.#policies;
    if (freeNames.has(name)) return true;
    // A media type makes a text beside it bytes.
    const isOwn = name === "__proto__" || (name !== "type" && name.length <= 12 && ANY_TYPE.test(name));
    if (isOwn || name.length >= SHORT_TEXT || values.keyRulesOf(name).length > 0) return false;
    if (!leavesText(name, values)) return false;
    freeNames.add(name);
    return true;
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
