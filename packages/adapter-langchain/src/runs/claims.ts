/**
 * Runs that are being captured in this process, by whom.
 *
 * Two handlers meet on one run when an agent is wrapped twice, or a wrapped agent runs inside another.
 * The first to claim a run captures it; the map hangs on a global symbol so that two copies of this
 * package agree.
 */
const KEY = Symbol.for("agent-step-value.capture.claims");

function claims(): Map<string, object> {
  const scope = globalThis as { [KEY]?: Map<string, object> };
  return (scope[KEY] ??= new Map());
}

/** Takes a run for `owner`; false when another has it. */
export function claimRun(runId: string, owner: object): boolean {
  const map = claims();
  const holder = map.get(runId);
  if (holder === undefined) map.set(runId, owner);
  return holder === undefined || holder === owner;
}

export function releaseRun(runId: string, owner: object): void {
  const map = claims();
  if (map.get(runId) === owner) map.delete(runId);
}

/** Runs claimed at this moment. For tests and for a look at a leak. */
export function claimCount(): number {
  return claims().size;
}
