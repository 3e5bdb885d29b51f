import { Snapshot } from "./snapshot.ts";
import type { StepCapture, TrajectoryCapture } from "./trajectory-capture.ts";

const nothing = new Snapshot("{}", "", new Map());

/** Given for a state nobody records. It is no state: a step that gets it has none. */
export function isNothing(snapshot: Snapshot): boolean {
  return snapshot === nothing;
}

/**
 * A trajectory that no sink takes. It reads no state.
 *
 * @param onLost called for every step that ends, where the steps should have been recorded
 */
export function silentTrajectory(id: string, onLost: (() => void) | undefined): TrajectoryCapture {
  let index = 0;
  return {
    id,
    recording: false,
    context: undefined,
    step: () => silentStep(index++, onLost),
    snapshot: () => nothing,
    close: () => undefined,
  };
}

/** A step that is not recorded. */
export function silentStep(index: number, onLost: (() => void) | undefined): StepCapture {
  let ended = false;
  return {
    id: String(index),
    index,
    context: undefined,
    end() {
      if (!ended) onLost?.();
      ended = true;
    },
  };
}
