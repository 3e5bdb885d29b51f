import { newPass } from "./new-pass.ts";
import { isPlaceholder } from "./placeholder.ts";
import { resolvePolicy, type ProjectionPolicy } from "./projection-policy.ts";
import type { ProjectionPass } from "./projection-pass.ts";
import { redactString } from "./redact-string.ts";
import { createRedactionSession } from "./redaction-session.ts";
import type { KeyRule } from "./rules/index.ts";

/** Something in a stored record that a projection would have taken out. Never holds the thing itself. */
export interface StoredHit {
  /** JSON path from the record, `steps[0].observation.text`; a key that is a secret shows its placeholder. */
  readonly path: string;
  readonly rule: string;
  readonly count: number;
}

/** How a stored record is searched. */
export interface ScanOptions {
  /** Rules to search with. Default: the built-in ones, without personal data. */
  readonly policy?: ProjectionPolicy;
}

/**
 * Keys of a trajectory or live record that hold what an evaluator may be shown. Only below them do
 * gold, outcomes, labels, ids and times count as hits; elsewhere in a record they are at home.
 */
const SHOWN = new Set(["state_before", "state_after", "observation", "action", "stateBefore", "stateAfter"]);

/** Further keys of this toolkit's other records: the buffer an evaluator wrote and was shown again. */
const SHOWN_IN_RATIONALE = new Set(["text"]);

/** Counted by a projection, but no leak: bytes that stayed bytes, letters that were broken. */
const HARMLESS = new Set(["bytes", "lone-surrogate"]);
const MASKED = /^\W*(?:redacted|masked|removed|hidden|filtered)?\W*$/i;

function pathOf(parent: string, key: string): string {
  if (!/^[A-Za-z_][\w-]*$/.test(key)) return `${parent}[${JSON.stringify(key)}]`;
  return parent === "" ? key : `${parent}.${key}`;
}

/** A line of one of this toolkit's files, whose own fields are at home in it. */
function isOwnRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, "schema_version")) return false;
  const version: unknown = (value as Record<string, unknown>)["schema_version"];
  return typeof version === "string" && version.startsWith("asv.");
}

/** The token of a model's reply, `{token, logprob}`: a piece of text, no key to a door. */
function isReplyToken(key: string, holder: object): boolean {
  return key === "token" && Object.hasOwn(holder, "logprob");
}

/** Walks a parsed record; unlike a projection it goes on below what it finds. */
class StoredScan {
  readonly hits: StoredHit[] = [];
  readonly #policy: ReturnType<typeof resolvePolicy>;
  readonly #session = createRedactionSession();
  #shownKeys: ReadonlySet<string> = SHOWN;

  constructor(policy: ProjectionPolicy = {}) {
    this.#policy = resolvePolicy({ ...policy, maxWork: Infinity, maxValues: Infinity, maxDepth: 256 });
  }

  /** Reads a record by what it says it is: in one of this toolkit's, only some keys hold what is shown. */
  scanRecord(root: unknown): void {
    const isOwn = isOwnRecord(root);
    if (isOwn && root["record"] === "rationale") this.#shownKeys = SHOWN_IN_RATIONALE;
    this.scan(root, !isOwn);
  }

  /** `shown`: the value is part of what an evaluator may see. `inside`: only below certain keys is it. */
  scan(root: unknown, rootShown: boolean): void {
    const waiting: [value: unknown, path: string, shown: boolean][] = [[root, "", rootShown]];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [value, path, shown] = next;
      if (typeof value === "string") this.#text(value, path, shown);
      if (typeof value !== "object" || value === null) continue;
      if (Array.isArray(value)) {
        for (let i = value.length - 1; i >= 0; i -= 1) waiting.push([value[i], `${path}[${i}]`, shown]);
        continue;
      }
      const below: typeof waiting = [];
      for (const [key, inner] of Object.entries(value)) {
        const innerPath = pathOf(path, this.#key(key, path, shown));
        if (shown || !isReplyToken(key, value)) this.#field(key, inner, innerPath, shown);
        below.push([inner, innerPath, shown || this.#shownKeys.has(key)]);
      }
      this.#namedPair(value as Record<string, unknown>, path);
      waiting.push(...below.reverse());
    }
  }

  #pass(): ProjectionPass {
    return newPass(this.#policy, this.#session);
  }

  #report(pass: ProjectionPass, path: string, shown: boolean): void {
    for (const [rule, count] of pass.tally.hits) {
      if (HARMLESS.has(rule) || (!shown && this.#isOnlyUnfit(rule))) continue;
      this.hits.push({ path, rule, count });
    }
  }

  /** A key rule that is about evaluators, not about secrets. */
  #isOnlyUnfit(rule: string): boolean {
    return this.#policy.keyRules.some((known) => known.id === rule && known.secret !== true);
  }

  #text(text: string, path: string, shown: boolean): void {
    const pass = this.#pass();
    redactString(text, pass, 0);
    this.#report(pass, path, shown);
  }

  #key(key: string, path: string, shown: boolean): string {
    const pass = this.#pass();
    const safe = redactString(key, pass, 0);
    this.#report(pass, pathOf(path, safe), shown);
    return safe;
  }

  #field(key: string, value: unknown, path: string, shown: boolean): void {
    if (typeof value === "string" && this.#isMasked(value)) return;
    const fits = ({ when }: KeyRule) => when.value === undefined || when.value(value, key);
    const rule = this.#policy.keyRulesOf(key).find(fits);
    if (rule !== undefined && (shown || rule.secret === true))
      this.hits.push({ path, rule: rule.id, count: 1 });
  }

  /** `{name: "Authorization", value: "..."}`, as headers and attributes are written. */
  #namedPair(value: Record<string, unknown>, path: string): void {
    const name = value["name"] ?? value["key"] ?? value["header"];
    if (typeof name !== "string" || !Object.hasOwn(value, "value")) return;
    this.#field(name, value["value"], pathOf(path, "value"), false);
  }

  #isMasked(value: string): boolean {
    return MASKED.test(value) || isPlaceholder(value, this.#policy.ruleIds);
  }
}

/**
 * Searches any stored JSON value, or the text of a line that is no JSON, for what a projection would
 * have taken out: every key and every string, JSON and Python literals inside strings included.
 * Placeholders do not hit.
 *
 * A record of this toolkit (its `schema_version` opens with `asv.`: scores, rationales, protocols,
 * candidate sets, trajectories) is searched as {@link scanTrajectoryRecord} does: its own
 * `top_logprobs` or `label` is no leak. A rationale's text was shown, so there all rules count.
 */
export function scanStored(value: unknown, options: ScanOptions = {}): StoredHit[] {
  const scan = new StoredScan(options.policy);
  scan.scanRecord(value);
  return scan.hits;
}

/**
 * Searches a trajectory or live record. Secrets and credentials hit anywhere; the other key rules
 * only inside states, observations and actions: a record's own `gold_candidate_id`, `label`,
 * `success` and `run_id` belong to its owner.
 */
export function scanTrajectoryRecord(record: unknown, options: ScanOptions = {}): StoredHit[] {
  const scan = new StoredScan(options.policy);
  scan.scan(record, false);
  return scan.hits;
}
