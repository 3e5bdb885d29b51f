/** Milliseconds since 1970, for one trajectory: started by the wall clock and never going back. */
export type Clock = () => number;

/**
 * A clock that reads the wall clock once and the monotonic one ever after, so that a wall clock set
 * back during a run gives no negative duration.
 */
export function startClock(): Clock {
  const monotonic = globalThis.performance;
  const epoch = Date.now();
  const origin = monotonic.now();
  return () => epoch + monotonic.now() - origin;
}

/** A time given by a caller in milliseconds since 1970, or the clock's own where it gave none usable. */
export function timeOr(given: unknown, clock: Clock): number {
  const time = given instanceof Date ? given.getTime() : given;
  return typeof time === "number" && Number.isFinite(time) && time > 0 ? time : clock();
}
