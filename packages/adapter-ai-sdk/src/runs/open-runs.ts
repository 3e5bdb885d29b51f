/** A run that has begun and not ended. */
export interface OpenRun {
  /** Nothing more is expected of it. */
  abandon(): void;
}

/**
 * Runs under way. What never says that it ended, such as a stream that nobody reads, is abandoned when
 * nothing was heard of it for long, or when too many others are open.
 */
export class OpenRuns {
  readonly #maxIdleMs: number;
  readonly #most: number;
  readonly #heardAt = new Map<OpenRun, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(maxIdleMs: number, most: number) {
    this.#maxIdleMs = maxIdleMs;
    this.#most = most;
  }

  get size(): number {
    return this.#heardAt.size;
  }

  add(run: OpenRun): void {
    for (const oldest of this.#heardAt.keys()) {
      if (this.#heardAt.size < this.#most) break;
      this.#abandon(oldest);
    }
    this.#heardAt.set(run, performance.now());
    this.#wait();
  }

  /** Notes a sign of life. */
  touch(run: OpenRun): void {
    if (this.#heardAt.has(run)) this.#heardAt.set(run, performance.now());
  }

  delete(run: OpenRun): void {
    this.#heardAt.delete(run);
  }

  /** Abandons what has been silent for too long. */
  sweep(): void {
    const oldest = performance.now() - this.#maxIdleMs;
    for (const [run, heardAt] of this.#heardAt) if (heardAt <= oldest) this.#abandon(run);
  }

  abandonAll(): void {
    for (const run of this.#heardAt.keys()) this.#abandon(run);
  }

  #abandon(run: OpenRun): void {
    this.#heardAt.delete(run);
    run.abandon();
  }

  #wait(): void {
    if (this.#timer !== undefined || this.#maxIdleMs === Infinity) return;
    const everyMs = Math.min(30_000, Math.max(10, this.#maxIdleMs / 2));
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.sweep();
      if (this.#heardAt.size > 0) this.#wait();
    }, everyMs);
    // It must not keep the host alive. Only Node's timers have this.
    (this.#timer as { unref?: () => void }).unref?.();
  }
}
