import type { CaptureReport, Recorder } from "@agent-step-value/sdk/capture";
import type { ASVCallbackHandler } from "./callback-handler.ts";

const handlers = new WeakMap<object, ASVCallbackHandler>();
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

/** Notes which handler captures a target, and that its recorder may hold something back. */
export function rememberHandler(target: object, handler: ASVCallbackHandler): void {
  handlers.set(target, handler);
  if (!liveRecorders().includes(handler.recorder)) recorders.add(new WeakRef(handler.recorder));
}

/**
 * Flushes what capture holds back. Never rejects.
 *
 * Steps are written as they end, so a flush only matters to sinks that buffer, such as one that sends
 * over a network; spans are flushed by their provider's own `forceFlush`.
 *
 * @param target what {@link withASVCapture} gave; left out, everything that was wrapped in this process
 * @returns steps written, dropped and damaged so far, summed over the recorders, and the first errors
 */
export async function asvFlush(target?: object): Promise<Omit<CaptureReport, "otel">> {
  const own = target === undefined ? undefined : handlers.get(target)?.recorder;
  const reports = await Promise.all(
    (own === undefined ? liveRecorders() : [own]).map((recorder) => recorder.flush()),
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
