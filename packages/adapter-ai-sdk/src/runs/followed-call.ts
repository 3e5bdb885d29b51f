import { asyncStorage, type AsyncStorage } from "./async-storage.ts";

let storage: AsyncStorage<boolean> | undefined;

/** From now on it is told apart which calls a wrapper follows. Capture that is registered for all calls needs it. */
export function tellFollowedCalls(): void {
  storage ??= asyncStorage();
}

/** Makes a call that a wrapper follows. */
export function followedCall<T>(call: () => T): T {
  return storage === undefined ? call() : storage.run(true, call);
}

/** Calls code of the host inside such a call, such as a tool; the calls that it makes are not followed. */
export function hostCode<T>(work: () => T): T {
  return storage === undefined ? work() : storage.run(false, work);
}

export function isInFollowedCall(): boolean {
  return storage?.getStore() === true;
}
