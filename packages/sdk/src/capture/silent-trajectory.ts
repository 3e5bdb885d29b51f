import { NO_STATE } from "./snapshot.ts";
import { silentWriter } from "./state-writer.ts";
import type { StepCapture, TrajectoryCapture } from "./trajectory-capture.ts";

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
    snapshot: () => NO_STATE,
    stateWriter: () => silentWriter,
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
