import type { CaptureReport, Recorder } from "@agent-step-value/sdk/capture";
import type { CaptureContext } from "../runs/capture-context.ts";

const contexts = new WeakMap<object, CaptureContext>();
const recorders = new Set<WeakRef<Recorder>>();

function liveRecorders(): Recorder[] {
  const live: Recorder[] = [];
  for (const reference of recorders) {
    const recorder = reference.deref();
    if (recorder === undefined) recorders.delete(reference);
    else live.push(recorder);
  }
  return live;
}

/** Notes what captures a target, and that its recorder may hold something back. */
export function rememberCapture(target: object, capture: CaptureContext): void {
  contexts.set(target, capture);
  if (!liveRecorders().includes(capture.recorder)) recorders.add(new WeakRef(capture.recorder));
}

/**
 * Flushes what capture holds back. Never rejects.
 *
 * Steps are written as they end, so a flush only matters to sinks that buffer, such as one that sends
 * over a network; spans are flushed by their provider's own `forceFlush`. Runs of which nothing was heard
 * for `maxOpenMs` are closed as `abandoned`.
 *
 * @param target what {@link withASVCapture} or {@link asvTelemetry} gave; left out, everything that was
 *   wrapped in this process
 * @returns steps written, dropped and damaged so far, summed over the recorders, and the first errors
 */
export async function asvFlush(target?: object): Promise<Omit<CaptureReport, "otel">> {
  const own = target === undefined ? undefined : contexts.get(target);
  own?.open.sweep();
  const reports = await Promise.all(
    (own === undefined ? liveRecorders() : [own.recorder]).map((recorder) => recorder.flush()),
  );
  const sum = (name: "written" | "dropped" | "damaged") =>
    reports.reduce((total, report) => total + report[name], 0);
  return {
    written: sum("written"),
    dropped: sum("dropped"),
    damaged: sum("damaged"),
    errors: reports.flatMap((report) => report.errors),
  };
}
