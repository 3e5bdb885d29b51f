import { encodeLiveRecord, type LiveRecord } from "../schema/index.ts";
import { liveStepRecord } from "./live-step-record.ts";
import type { StepEnd } from "./sink.ts";

/** An open or close record as a line. */
export function recordLine(record: LiveRecord): string {
  return `${JSON.stringify(encodeLiveRecord(record))}\n`;
}

/**
 * A step record as a line. The states are spliced in as the canonical text they already are:
 * parsing and writing them again would cost several times the rest of the line.
 */
export function stepLine(step: StepEnd): string {
  const head = JSON.stringify(encodeLiveRecord(liveStepRecord(step)));
  const before = step.chained || step.before === undefined ? "" : `,"state_before":${step.before.text}`;
  const after = step.after === undefined ? "" : `,"state_after":${step.after.text}`;
  return `${head.slice(0, -1)}${before}${after}}\n`;
}
