import type { CaptureContext } from "./capture-context.ts";
import { claimRun, releaseRun } from "./claims.ts";
import { GraphRun } from "./graph-run.ts";
import { RecentRuns } from "./recent-runs.ts";
import type { RunEntry, RunOutcome, RunOwner, RunStart } from "./run-event.ts";
import { SequenceRun } from "./sequence-run.ts";
import { SilentRun } from "./silent-run.ts";
import { Sweep } from "./sweep.ts";

/** What is kept of a trajectory's runs. */
interface Book {
  /** Ids of all its runs, also of those that have ended. */
  readonly runs: Set<string>;
  /** The same run as the trajectory around it sees it: one of its children. */
  readonly asChild: RunEntry | undefined;
  touchedAt: number;
}

/**
 * Leads every callback of LangChain to the trajectory it belongs to.
 *
 * Callbacks come late, twice, or never: a start that was seen before, the end of a run that is not
 * known, and a run under one that has ended are nothing; what never ends is swept.
 */
export class RunTracker {
  readonly #context: CaptureContext;
  readonly #runs = new Map<string, RunEntry>();
  readonly #books = new Map<RunOwner, Book>();
  readonly #recent = new RecentRuns();
  readonly #sweep: Sweep;
  readonly #maxOpen: number;

  constructor(context: CaptureContext, maxOpenMs: number, maxOpen: number) {
    this.#context = context;
    this.#maxOpen = maxOpen;
    this.#sweep = new Sweep(maxOpenMs, () => this.#sweepIdle(maxOpenMs));
  }

  /** Trajectories and runs under way. */
  get size(): { trajectories: number; runs: number } {
    return { trajectories: this.#books.size, runs: this.#runs.size };
  }

  start(start: RunStart): void {
    if (this.#runs.has(start.id)) return;
    const parent = start.parentId === undefined ? undefined : this.#runs.get(start.parentId);
    if (parent === undefined) {
      // A start that comes twice, and work that goes on after its run has ended, are no runs of their own.
      const late =
        this.#recent.hasRoot(start.id) || (start.parentId !== undefined && this.#recent.has(start.parentId));
      if (!late) this.#open(start, undefined);
      return;
    }
    const book = this.#books.get(parent.owner);
    if (book === undefined || book.runs.has(start.id)) return;
    book.touchedAt = Date.now();
    const entry: RunEntry = { start, owner: parent.owner, task: undefined, isEdge: false };
    parent.owner.childStarted(entry, parent, start);
    const opens = start.isGraph && this.#context.nested && !(parent.owner instanceof SilentRun);
    if (opens) {
      this.#open(start, entry);
      return;
    }
    this.#runs.set(start.id, entry);
    book.runs.add(start.id);
  }

  end(id: string, outcome: RunOutcome): void {
    const entry = this.#runs.get(id);
    if (entry === undefined) return;
    this.#runs.delete(id);
    const { owner } = entry;
    const book = this.#books.get(owner);
    if (book !== undefined) book.touchedAt = Date.now();
    if (owner.rootId !== id) return owner.childEnded(entry, outcome);
    try {
      owner.ended(outcome, entry);
    } finally {
      this.#forget(owner);
      const child = book?.asChild;
      if (child !== undefined && this.#books.has(child.owner)) child.owner.childEnded(child, outcome);
    }
  }

  /** Where a state told by the `values` stream of a root run belongs. */
  graphRun(rootId: string): GraphRun | undefined {
    const owner = this.#runs.get(rootId)?.owner;
    return owner instanceof GraphRun ? owner : undefined;
  }

  #open(start: RunStart, parent: RunEntry | undefined): void {
    for (const oldest of this.#books.keys()) {
      if (this.#books.size < this.#maxOpen) break;
      this.#abandon(oldest);
    }
    const owner = this.#ownerOf(start, parent);
    this.#books.set(owner, { runs: new Set([start.id]), asChild: parent, touchedAt: Date.now() });
    this.#runs.set(start.id, { start, owner, task: undefined, isEdge: false });
    this.#sweep.wait();
  }

  #ownerOf(start: RunStart, parent: RunEntry | undefined): RunOwner {
    if (!claimRun(start.id, this)) return new SilentRun(start.id);
    try {
      return start.isGraph
        ? new GraphRun(this.#context, start, parent)
        : new SequenceRun(this.#context, start);
    } catch (error) {
      releaseRun(start.id, this);
      throw error;
    }
  }

  #abandon(owner: RunOwner): void {
    try {
      owner.abandon();
    } finally {
      this.#forget(owner);
    }
  }

  #forget(owner: RunOwner): void {
    const book = this.#books.get(owner);
    this.#books.delete(owner);
    if (book !== undefined) {
      for (const id of book.runs) this.#runs.delete(id);
      this.#recent.add(owner.rootId, book.runs);
    }
    releaseRun(owner.rootId, this);
  }

  #sweepIdle(maxOpenMs: number): boolean {
    const oldest = Date.now() - maxOpenMs;
    for (const [owner, book] of this.#books) if (book.touchedAt < oldest) this.#abandon(owner);
    return this.#books.size > 0;
  }
}
