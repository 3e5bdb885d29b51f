/** What the register needs of a trajectory. */
export interface Registered {
  readonly id: string;
  /** When it last did something, in milliseconds of the monotonic clock. */
  lastActive: number;
}

export interface RegisterLimits {
  /** Most trajectories open at once. */
  readonly maxOpen: number;
  /** Longest time without a sign of life, in ms. */
  readonly maxIdleMs: number;
}

/**
 * The trajectories that are open, least recently active first. Those that say nothing for too long,
 * such as a stream that nobody drains, are handed to `onIdle`; those beyond the limit to `onEvict`.
 */
export class OpenTrajectories<T extends Registered> {
  readonly #limits: RegisterLimits;
  readonly #onIdle: (trajectory: T) => void;
  readonly #onEvict: (trajectory: T) => void;
  readonly #open = new Map<string, T>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(limits: RegisterLimits, onIdle: (trajectory: T) => void, onEvict: (trajectory: T) => void) {
    this.#limits = limits;
    this.#onIdle = onIdle;
    this.#onEvict = onEvict;
  }

  get size(): number {
    return this.#open.size;
  }

  get(id: string): T | undefined {
    return this.#open.get(id);
  }

  add(trajectory: T): void {
    for (const oldest of this.#open.values()) {
      if (this.#open.size < this.#limits.maxOpen) break;
      this.delete(oldest);
      this.#onEvict(oldest);
    }
    this.#open.set(trajectory.id, trajectory);
    this.touch(trajectory);
    this.#wait();
  }

  /** Notes a sign of life. */
  touch(trajectory: T): void {
    if (this.#open.get(trajectory.id) !== trajectory) return;
    trajectory.lastActive = performance.now();
    if (this.#open.size === 1) return;
    // To the end of the order.
    this.#open.delete(trajectory.id);
    this.#open.set(trajectory.id, trajectory);
  }

  delete(trajectory: T): void {
    // The timer stays: to stop and start one for every run costs more than to let one fire in vain.
    if (this.#open.get(trajectory.id) === trajectory) this.#open.delete(trajectory.id);
  }

  /** Hands over everything that has been idle for too long. */
  sweep(): void {
    const oldest = performance.now() - this.#limits.maxIdleMs;
    for (const trajectory of this.#open.values()) {
      if (trajectory.lastActive > oldest) return;
      this.delete(trajectory);
      this.#onIdle(trajectory);
    }
  }

  /** Takes everything out. */
  takeAll(): T[] {
    const all = [...this.#open.values()];
    this.#open.clear();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return all;
  }

  #wait(): void {
    if (this.#timer !== undefined || this.#limits.maxIdleMs === Infinity) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.sweep();
        if (this.#open.size > 0) this.#wait();
      },
      // A timer takes 32 bits; beyond that it fires at once.
      Math.min(0x7fff_ffff, Math.max(5, this.#limits.maxIdleMs / 2)),
    );
    // It must not keep the host alive. Only Node's timers have this.
    (this.#timer as { unref?: () => void }).unref?.();
  }
}
