import { AsvError, type AsvErrorCode } from "../errors/index.ts";

/**
 * What went wrong while capturing. The host goes on in every case.
 *
 * | problem | what happened |
 * | --- | --- |
 * | `no_sink` | nothing records: no file is named and no tracer provider is registered |
 * | `otel_inactive` | spans go nowhere: no provider, or another copy of `@opentelemetry/api` holds it |
 * | `file_failed` | the JSONL file cannot be opened or written; capture to it has stopped |
 * | `torn_line` | the JSONL file ended within a record; that piece was cut off before appending |
 * | `sink_failed` | a sink threw or rejected |
 * | `projection_failed` | `project` threw or gave nothing usable; the state was left out |
 * | `task_failed` | `task` threw or gave nothing usable; the run was captured without its task |
 * | `evicted` | more trajectories were open than allowed; the one idle longest was closed |
 * | `internal` | the recorder itself failed; the call it happened in recorded nothing |
 */
export type CaptureProblem =
  | "no_sink"
  | "otel_inactive"
  | "file_failed"
  | "torn_line"
  | "sink_failed"
  | "projection_failed"
  | "task_failed"
  | "evicted"
  | "internal";

const CODES: Partial<Record<CaptureProblem, AsvErrorCode>> = {
  file_failed: "unreadable_source",
  torn_line: "unreadable_source",
  sink_failed: "unreadable_source",
};

/** A problem of live capture, handed to `onError`. It never carries a state, nor the error of a callback. */
export class CaptureError extends AsvError {
  readonly problem: CaptureProblem;

  constructor(problem: CaptureProblem, message: string) {
    super(CODES[problem] ?? "invalid_argument", message, { problem });
    this.name = "CaptureError";
    this.problem = problem;
  }
}

/**
 * Name and system code of a foreign error. Its message stays out: what a callback throws may quote
 * the state it was given.
 */
export function nameError(error: unknown): string {
  try {
    const { name, code } = error as { name?: unknown; code?: unknown };
    const shown = typeof name === "string" && /^\w{1,60}$/.test(name) ? name : typeof error;
    return typeof code === "string" && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? `${shown} ${code}` : shown;
  } catch {
    return "an error";
  }
}
