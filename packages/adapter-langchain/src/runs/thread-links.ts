/** Where the last trajectory of a thread stands, so that a resumed run goes on with it. */
export interface ThreadLink {
  readonly trajectoryId: string;
  /** True where it stopped at an interrupt or a breakpoint, so that the same trajectory can go on. */
  readonly interrupted: boolean;
}

const MOST_THREADS = 1000;

/** The last trajectory of each thread of a checkpointer, for the thousand threads that ran last. */
export class ThreadLinks {
  readonly #links = new Map<string, ThreadLink>();

  remember(thread: string, link: ThreadLink): void {
    this.#links.delete(thread);
    this.#links.set(thread, link);
    if (this.#links.size <= MOST_THREADS) return;
    const oldest = this.#links.keys().next();
    if (!oldest.done) this.#links.delete(oldest.value);
  }

  get(thread: string): ThreadLink | undefined {
    return this.#links.get(thread);
  }
}

/**
 * True for the input of a run that goes on where its thread stopped: a Command, or no input. Anything
 * else on a known thread is a new turn, and a trajectory of its own.
 */
export function isResume(inputs: unknown): boolean {
  if (inputs === null || inputs === undefined) return true;
  if (typeof inputs !== "object") return false;
  const { lg_name: name, input } = inputs as { lg_name?: unknown; input?: unknown };
  if (name === "Command") return true;
  return input === null && Object.keys(inputs).length === 1;
}
