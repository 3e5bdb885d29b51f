/** The part of Node's AsyncLocalStorage that is used here. */
export interface AsyncStorage<T> {
  run<R>(store: T, work: () => R): R;
  getStore(): T | undefined;
  enterWith?(store: T | undefined): void;
}

/** A new storage; undefined where the runtime has none. Edge runtimes have its class as a global. */
export function asyncStorage<T>(): AsyncStorage<T> | undefined {
  const known = (globalThis as { AsyncLocalStorage?: new () => AsyncStorage<T> }).AsyncLocalStorage;
  // Without an import, as any runtime must load this.
  const own = globalThis.process?.getBuiltinModule?.("node:async_hooks")?.AsyncLocalStorage;
  const Class = known ?? (own as (new () => AsyncStorage<T>) | undefined);
  return Class === undefined ? undefined : new Class();
}
