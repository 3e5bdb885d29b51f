import { canonicalJson, encodeLiveRecord, type CloseRecord, type OpenRecord } from "../schema/index.ts";
import { fastSha256 } from "./fast-sha256.ts";
import type { Placed } from "./placed.ts";

/** How the open records of a trajectory, or its close records, are told apart and chosen from. */
export interface AccountRules<T extends OpenRecord | CloseRecord> {
  /** True for a record that its writer put in for want of knowledge: it yields to any that is none. */
  readonly isMadeUp: (record: T) => boolean;
  /** Wire fields that tell of the writer and not of the run, so that two writers' may differ. */
  readonly ofWriter: readonly string[];
  /** What decides between records that say the same: the smallest text. */
  readonly rank: (record: T) => string;
}

/** What adding a record comes to. */
export type Added<T> =
  | { readonly is: "new" }
  | { readonly is: "repeated"; readonly earlier: Placed<T> }
  | { readonly is: "conflict"; readonly earlier: Placed<T>; readonly fields: readonly string[] };

/**
 * The open records of one trajectory, or its close records: one as a rule, more where several processes each
 * recorded a part of the run. Which one counts does not depend on the order in which they come.
 */
export class LiveAccounts<T extends OpenRecord | CloseRecord> {
  readonly #rules: AccountRules<T>;
  readonly #all: Placed<T>[] = [];
  /** From the second record on: a trajectory has one as a rule, which needs no digest. */
  #byDigest: Map<string, Placed<T>> | undefined;
  /** The first that is not made up; all others of that kind say the same. */
  #known: Placed<T> | undefined;

  constructor(rules: AccountRules<T>) {
    this.#rules = rules;
  }

  /** Each record once, in the order in which they came. */
  get all(): readonly Placed<T>[] {
    return this.#all;
  }

  add(placed: Placed<T>): Added<T> {
    const [first] = this.#all;
    if (first !== undefined) {
      this.#byDigest ??= new Map([[digest(first.record), first]]);
      const own = digest(placed.record);
      const earlier = this.#byDigest.get(own);
      if (earlier !== undefined) return { is: "repeated", earlier };
      const fields = this.#differences(placed.record);
      if (fields.length > 0) return { is: "conflict", earlier: this.#known!, fields };
      this.#byDigest.set(own, placed);
    }
    this.#all.push(placed);
    if (!this.#rules.isMadeUp(placed.record)) this.#known ??= placed;
    return { is: "new" };
  }

  /** The record that counts: one that is not made up, where there is one. */
  chosen(): Placed<T> | undefined {
    if (this.#all.length < 2) return this.#all[0];
    const { isMadeUp, rank } = this.#rules;
    const known = this.#all.filter(({ record }) => !isMadeUp(record));
    const ranked = (known.length > 0 ? known : this.#all).map((placed) => ({
      placed,
      by: `${rank(placed.record)}\0${canonicalJson(encodeLiveRecord(placed.record))}`,
    }));
    return ranked.reduce((best, one) => (one.by < best.by ? one : best)).placed;
  }

  /** Wire fields in which a record says something else of the run than those that are known. */
  #differences(record: T): string[] {
    if (this.#known === undefined || this.#rules.isMadeUp(record)) return [];
    const one = encodeLiveRecord(this.#known.record);
    const other = encodeLiveRecord(record);
    const text = (of: typeof one, name: string): string | undefined =>
      Object.hasOwn(of, name) ? canonicalJson(of[name]!) : undefined;
    return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
      (name) => !this.#rules.ofWriter.includes(name) && text(one, name) !== text(other, name),
    );
  }
}

function digest(record: OpenRecord | CloseRecord): string {
  return fastSha256(canonicalJson(encodeLiveRecord(record)));
}
