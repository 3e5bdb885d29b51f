/**
 * A state as it was at one moment: projected, redacted, serialised and digested, once. Give it as
 * the before- or after-state of any number of steps instead of the live state.
 *
 * Only `TrajectoryCapture.snapshot` makes one. An object that merely looks like it is a state like
 * any other and is projected.
 */
export class Snapshot {
  /** RFC 8785 canonical JSON of the projected state; one line by construction. */
  readonly #text: string;
  /** SHA-256 of the text. */
  readonly sha256: string;
  /** How often each redaction rule fired on this state. */
  readonly hits: ReadonlyMap<string, number>;

  constructor(text: string, sha256: string, hits: ReadonlyMap<string, number>) {
    this.#text = text;
    this.sha256 = sha256;
    this.hits = hits;
  }

  get text(): string {
    return this.#text;
  }

  static is(value: unknown): value is Snapshot {
    return typeof value === "object" && value !== null && #text in value;
  }
}

/** Of a state of which nothing was removed. */
export const NO_HITS: ReadonlyMap<string, number> = new Map();

/** Given for a state that could not be projected, or that nobody records: a step that gets it has none. */
export const NO_STATE = new Snapshot("{}", "", NO_HITS);

/** Given for the after-state of a step that changed nothing, or whose after-state is unknown. */
export const SAME_AS_BEFORE: unique symbol = Symbol.for("agent-step-value.same-as-before");
