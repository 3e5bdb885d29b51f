type Callback = (...args: unknown[]) => unknown;

/**
 * A callback of ours that then calls the host's: it gets what it would get, and what it gives or throws goes
 * on as it is. Ours is synchronous and does not throw.
 */
export function alongside(hook: (event: unknown) => void, callback: unknown): Callback {
  return (...args) => {
    hook(args[0]);
    return typeof callback === "function" ? (callback as Callback)(...args) : undefined;
  };
}

/** The field of an event, whatever the event is. */
export function fieldOf(event: unknown, name: string): unknown {
  return typeof event === "object" && event !== null ? (event as Record<string, unknown>)[name] : undefined;
}
