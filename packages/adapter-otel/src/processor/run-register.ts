import { ForgottenIds } from "./forgotten-ids.ts";
import { LiveRun } from "./live-run.ts";

export interface RegisterLimits {
  /** Most trajectories open at once. */
  readonly maxOpen: number;
  /** Longest time without a span of the trajectory, in ms. */
  readonly maxIdleMs: number;
}

/** What happens to a run that is taken off the register. It closes the run. */
export type OnLeave = (run: LiveRun, why: "idle" | "evicted" | "interrupted") => void;

/** Interrupted runs that are held until they go on. */
const MOST_SUSPENDED = 256;
/** Closed runs that are remembered, so that a step that ends late is not taken for a new run's. */
const MOST_CLOSED = 4096;

/** All trajectories whose spans were seen and not forgotten: open, interrupted, closed. */
export class RunRegister {
  readonly #limits: RegisterLimits;
  readonly #onLeave: OnLeave;
  /** Newest run of each id on spans, in any state. */
  readonly #byId = new Map<string, LiveRun>();
  /** Ids in the file. */
  readonly #ids = new Set<string>();
  /** Least recently active first. */
  readonly #open = new Set<LiveRun>();
  readonly #suspended = new Set<LiveRun>();
  readonly #closed = new Set<LiveRun>();
  readonly #forgotten = new ForgottenIds();
  #latest: LiveRun | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(limits: RegisterLimits, onLeave: OnLeave) {
    this.#limits = limits;
    this.#onLeave = onLeave;
  }

  get openCount(): number {
    return this.#open.size;
  }

  /** Runs that have no close record yet. */
  get busyCount(): number {
    return this.#open.size + this.#suspended.size;
  }

  /** The run a step belongs to. Where several of one id are open, its parent tells, else its trace. */
  find(id: string, parentSpanId: string | undefined, traceId: string): LiveRun | undefined {
    const newest = this.#byId.get(id);
    if (newest?.twin === undefined) return newest;
    let sameTrace: LiveRun | undefined;
    for (let run: LiveRun | undefined = newest; run !== undefined; run = run.twin) {
      if (run.root !== undefined && run.root === parentSpanId) return run;
      if (run.traceId === traceId) sameTrace ??= run;
    }
    return sameTrace ?? newest;
  }

  newest(id: string): LiveRun | undefined {
    return this.#byId.get(id);
  }

  /** Makes a run; a second one of an id is written under another. */
  add(id: string, traceId: string): LiveRun {
    for (const oldest of this.#open) {
      if (this.#open.size < this.#limits.maxOpen) break;
      this.#leave(oldest, "evicted");
    }
    const earlier = this.#byId.get(id);
    const run = new LiveRun(this.#freshId(id, earlier), id, traceId);
    this.#ids.add(run.id);
    run.twin = earlier?.closed === true ? earlier.twin : earlier;
    this.#byId.set(id, run);
    this.#open.add(run);
    this.touch(run);
    this.#wait();
    return run;
  }

  /** Notes a sign of life. */
  touch(run: LiveRun): void {
    run.lastActive = performance.now();
    if (this.#latest === run || !this.#open.has(run)) return;
    this.#open.delete(run);
    this.#open.add(run);
    this.#latest = run;
  }

  suspend(run: LiveRun): void {
    this.#takeOff(run);
    for (const oldest of this.#suspended) {
      if (this.#suspended.size < MOST_SUSPENDED) break;
      this.#leave(oldest, "interrupted");
    }
    this.#suspended.add(run);
  }

  isSuspended(run: LiveRun): boolean {
    return this.#suspended.has(run);
  }

  /** An interrupted run goes on. */
  resume(run: LiveRun): void {
    this.#suspended.delete(run);
    this.#open.add(run);
    this.touch(run);
    this.#wait();
  }

  /** Notes that a run has closed; it is remembered for what comes late. */
  close(run: LiveRun): void {
    this.#takeOff(run);
    this.#unlink(run);
    run.closed = true;
    run.shrink();
    this.#closed.add(run);
    for (const oldest of this.#closed) {
      if (this.#closed.size <= MOST_CLOSED) break;
      this.forget(oldest);
      this.#forgotten.add(oldest.id);
    }
  }

  /** True where a closed run has, or had, that id in the file and is no longer remembered. */
  isForgotten(id: string): boolean {
    return this.#forgotten.has(id);
  }

  forget(run: LiveRun): void {
    this.#takeOff(run);
    this.#unlink(run);
    this.#closed.delete(run);
    this.#ids.delete(run.id);
    if (this.#byId.get(run.spanId) !== run) return;
    if (run.twin === undefined) this.#byId.delete(run.spanId);
    else this.#byId.set(run.spanId, run.twin);
  }

  /** Hands over everything that has been idle for too long. */
  sweep(): void {
    const since = performance.now() - this.#limits.maxIdleMs;
    for (const run of this.#open) {
      if (run.lastActive > since) return;
      this.#leave(run, "idle");
    }
  }

  /** Runs without a close record. */
  takeAll(): { open: LiveRun[]; suspended: LiveRun[] } {
    const all = { open: [...this.#open], suspended: [...this.#suspended] };
    for (const run of [...all.open, ...all.suspended]) this.#takeOff(run);
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return all;
  }

  #leave(run: LiveRun, why: Parameters<OnLeave>[1]): void {
    this.#takeOff(run);
    this.#onLeave(run, why);
  }

  /** Takes a run out of the chain of those that share its id, where it is not the newest. */
  #unlink(run: LiveRun): void {
    let newer = this.#byId.get(run.spanId);
    while (newer !== undefined && newer.twin !== run) newer = newer.twin;
    if (newer !== undefined) newer.twin = run.twin;
  }

  #takeOff(run: LiveRun): void {
    this.#open.delete(run);
    this.#suspended.delete(run);
    if (this.#latest === run) this.#latest = undefined;
  }

  /** The id on the spans, or one made from it where another run stands in the file under it. */
  #freshId(spanId: string, earlier: LiveRun | undefined): { id: string; number: number } {
    for (let number = (earlier?.number ?? 0) + 1; ; number++) {
      const id = number === 1 ? spanId : `${spanId}.${number}`;
      if (!this.#ids.has(id) && !this.#forgotten.has(id)) return { id, number };
    }
  }

  #wait(): void {
    const { maxIdleMs } = this.#limits;
    if (this.#timer !== undefined || maxIdleMs === Infinity) return;
    const again = (): void => {
      this.#timer = undefined;
      this.sweep();
      if (this.#open.size > 0) this.#wait();
    };
    // A timer takes 32 bits; beyond that it fires at once.
    this.#timer = setTimeout(again, Math.min(0x7fff_ffff, Math.max(5, maxIdleMs / 2)));
    // It must not keep the host alive.
    this.#timer.unref();
  }
}
