import {
  createRedactionSession,
  projectState,
  type ProjectionPolicy,
  type State,
} from "@agent-step-value/sdk";
import type { OtelSpan } from "../../spans/otel-span.ts";
import type { StateCounts } from "../import-report.ts";
import type { StateStore } from "../state-store.ts";
import { declaredState, readState, type DeclaredState, type StateSide } from "./declared-state.ts";

/** How one state of a step came out. */
export type StateFinding =
  | { readonly kind: "found"; readonly state: State }
  /** The span says nothing of it. */
  | { readonly kind: "none" }
  | { readonly kind: "cut" | "damaged" | "missing"; readonly declared: DeclaredState };

/** The default rules; a protocol bounds the size later. The same object each time, so it is compiled once. */
const POLICY: ProjectionPolicy = { maxChars: 1_000_000_000 };

type StateWay = "inline" | "log" | "local";

interface Known {
  readonly state: State;
  readonly way: StateWay;
}

/**
 * The states of one run by digest. A state is taken from its own span, from any other span of the run that
 * has it whole, from the log records and from the user's own capture, in this order; it is one object
 * however often it occurs, so that after-state i and before-state i + 1 are the same.
 */
export class RunStates {
  readonly #known = new Map<string, Known>();
  readonly #store: StateStore;
  readonly #counts: StateCounts;
  readonly #own: boolean;
  readonly #projection = new StateProjection();

  /** @param own the run was written by the toolkit itself, which has redacted its states */
  constructor(steps: readonly OtelSpan[], store: StateStore, counts: StateCounts, own: boolean) {
    this.#store = store;
    this.#counts = counts;
    this.#own = own;
    for (const { attributes } of steps) {
      for (const side of ["before", "after"] as const) {
        const declared = declaredState(attributes, side);
        if (declared.text === undefined || declared.sha256 === undefined) continue;
        if (this.#known.has(declared.sha256)) continue;
        const read = readState(declared.text, declared);
        if (typeof read === "object") this.#keep(declared.sha256, read.state, "inline", own);
      }
    }
  }

  /** States that a writer without redaction had put something into. */
  get redacted(): number {
    return this.#projection.changed;
  }

  find(step: OtelSpan, side: StateSide): StateFinding {
    const declared = declaredState(step.attributes, side);
    const { text, sha256, length } = declared;
    const known = sha256 === undefined ? undefined : (this.#known.get(sha256) ?? this.#stored(sha256));
    if (known !== undefined) {
      const isElsewhere = known.way === "inline" && text === undefined;
      this.#counts[isElsewhere ? "chained" : known.way]++;
      return { kind: "found", state: known.state };
    }
    if (text === undefined) {
      if (sha256 === undefined && length === undefined) return { kind: "none" };
      this.#counts.missing++;
      return { kind: "missing", declared };
    }
    const read = readState(text, declared);
    if (typeof read === "object") {
      // Nothing was declared to hold it against.
      this.#counts.unverified++;
      return { kind: "found", state: this.#keep(read.sha256, read.state, "inline", this.#own).state };
    }
    this.#counts[read]++;
    return { kind: read, declared };
  }

  #stored(sha256: string): Known | undefined {
    const stored = this.#store.get(sha256);
    if (stored === undefined) return undefined;
    const read = readState(stored.text, { sha256, length: undefined });
    if (typeof read !== "object") return undefined;
    return this.#keep(sha256, read.state, stored.origin, this.#own && stored.own);
  }

  #keep(sha256: string, state: State, way: StateWay, own: boolean): Known {
    const known = { state: own ? state : this.#projection.project(state), way };
    this.#known.set(sha256, known);
    return known;
  }
}

/** Φ for the states of another writer, in one session: a secret has the same placeholder in all of a run. */
class StateProjection {
  readonly #session = createRedactionSession();
  changed = 0;

  /** The same object where no rule fired, so that its digest stays what was declared. */
  project(state: State): State {
    const { state: safe, report } = projectState(state, POLICY, this.#session);
    if (Object.keys(report.hits).length === 0) return state;
    this.changed++;
    return safe as State;
  }
}
