/** Calls back from time to time while there is something to wait for. Never keeps a process alive. */
export class Sweep {
  readonly #everyMs: number;
  readonly #run: () => boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param run tells whether there is still something to wait for */
  constructor(maxOpenMs: number, run: () => boolean) {
    this.#everyMs = Math.min(30_000, Math.max(10, maxOpenMs / 2));
    this.#run = run;
  }

  wait(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => {
      try {
        if (!this.#run()) this.stop();
      } catch {
        // Whatever fails here has no run to fail; the next round goes on.
      }
    }, this.#everyMs);
    (this.#timer as { unref?: () => void }).unref?.();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
