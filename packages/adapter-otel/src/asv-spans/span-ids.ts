import { digestOf } from "@agent-step-value/sdk";

/** Where a span is: 32 and 16 lower-case hex digits. */
export interface SpanPlace {
  readonly traceId: string;
  readonly spanId: string;
}

/**
 * Place of a stored trajectory's `asv.trajectory` span. It follows from the trajectory's id alone, so that
 * a second export gives equal spans and a reader folds them.
 */
export function trajectoryPlace(trajectoryId: string): SpanPlace {
  return { traceId: traceIdOf(trajectoryId), spanId: hex(["asv.trajectory", trajectoryId], 16) };
}

/** Place of a stored step's `asv.step` span: from the ids of its trajectory and itself alone. */
export function stepPlace(trajectoryId: string, stepId: string): SpanPlace {
  return { traceId: traceIdOf(trajectoryId), spanId: hex(["asv.step", trajectoryId, stepId], 16) };
}

function traceIdOf(trajectoryId: string): string {
  return hex(["asv.trace", trajectoryId], 32);
}

/** Digits of a digest. All zeros, which no id may be, has a chance of 2^-64 at most. */
function hex(parts: readonly string[], digits: number): string {
  // As text: canonical JSON refuses halves of surrogate pairs, which an id may hold.
  return digestOf(JSON.stringify(parts)).slice(0, digits);
}
