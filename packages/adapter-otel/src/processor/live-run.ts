import { ForeignStates, type ForeignPolicies } from "./foreign-states.ts";
import { IndexRanges } from "./index-ranges.ts";

/** Steps whose after-states are remembered, so that the next step need not repeat them. */
const REMEMBERED = 16;
/** Step ids of other writers that are remembered, so that none stands twice. */
const MOST_IDS = 10_000;

/** An after-state that stands in the file. */
export interface WrittenState {
  /** Digest the span gave, where it gave one. */
  readonly declared: unknown;
  /** Digest of what was written. */
  readonly sha256: string;
}

/** One trajectory as its spans show it. It holds digests and numbers, never a state. */
export class LiveRun {
  /** Id in the file. */
  readonly id: string;
  /** How many runs had its id on their spans, with this one. */
  readonly number: number;
  /** Id on the spans. */
  readonly spanId: string;
  readonly traceId: string;
  /** Span id of its `asv.trajectory` span, once that is seen. */
  root: string | undefined;
  /** An earlier run with the same id on its spans, still open when this one began. */
  twin: LiveRun | undefined;
  /** The open record is in the file. */
  opened = false;
  /** The close record is in the file. */
  closed = false;
  /** Its spans are of an unknown version and not read. */
  refused = false;
  lastActive = 0;
  /** Steps that began and have not ended. */
  openSteps = 0;
  written = 0;
  #commits = 0;
  #highest = -1;
  readonly #indices = new IndexRanges();
  readonly #after = new Map<number, WrittenState>();
  #ids: Set<string> | undefined;
  #foreign: ForeignStates | undefined;

  constructor({ id, number }: { id: string; number: number }, spanId: string, traceId: string) {
    this.id = id;
    this.number = number;
    this.spanId = spanId;
    this.traceId = traceId;
  }

  /** Notes that a step began; its index counts as taken by it. */
  begin(index: unknown): void {
    this.openSteps++;
    if (isCount(index) && index > this.#highest) this.#highest = index;
  }

  /** The step's own index, or the next free one where it has none or another step has it. */
  takeIndex(given: unknown): { index: number; reassigned: boolean } {
    if (isCount(given) && this.#indices.add(given)) {
      if (given > this.#highest) this.#highest = given;
      return { index: given, reassigned: false };
    }
    const index = ++this.#highest;
    this.#indices.add(index);
    return { index, reassigned: true };
  }

  /** The step's own commit index, or the next one. */
  takeCommit(given: unknown): number {
    const next = this.#commits++;
    return isCount(given) ? given : next;
  }

  /** True where the step of that index began and is not in the file. */
  isPending(index: number): boolean {
    return index <= this.#highest && !this.#indices.has(index);
  }

  /** The after-state of a step that ended lately, where it stands in the file. */
  afterOf(index: number): WrittenState | undefined {
    return this.#after.get(index);
  }

  keepAfter(index: number, state: WrittenState): void {
    if (this.#after.size >= REMEMBERED) {
      for (const oldest of this.#after.keys()) {
        this.#after.delete(oldest);
        break;
      }
    }
    this.#after.set(index, state);
  }

  /**
   * The step's id where no other step of the run can have it, or one made of index and span id. Ids that
   * begin with the index are unique as it is.
   */
  takeStepId(given: string | undefined, index: number, spanId: string): string {
    const made = `${index}-${spanId}`;
    if (given === undefined) return made;
    const number = /^(\d+)-/.exec(given)?.[1];
    if (number !== undefined) return number === String(index) ? given : made;
    const ids = (this.#ids ??= new Set());
    if (this.closed || ids.has(given) || ids.size >= MOST_IDS) return made;
    ids.add(given);
    return given;
  }

  /** Projection of what other writers put on the spans of this run. */
  foreign(policies: ForeignPolicies): ForeignStates {
    return (this.#foreign ??= new ForeignStates(policies));
  }

  /** Lets go of what only an open run needs, secrets among them. */
  shrink(): void {
    for (const index of this.#after.keys()) if (index !== this.#highest) this.#after.delete(index);
    this.#ids = undefined;
    this.#foreign = undefined;
  }
}

/** Far from where adding 1 changes nothing. */
const LARGEST = 2 ** 48;

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= LARGEST;
}
