export { CaptureError, nameError, type CaptureProblem } from "./capture-error.ts";
export type { CaptureReport } from "./capture-report.ts";
export { atProcessExit, installSignalHandlers, leaveProcessExit } from "./jsonl-sink-exit.ts";
export { AppendFile } from "./jsonl-sink-file.ts";
export { jsonlSink, type JsonlSinkOptions } from "./jsonl-sink.ts";
export { memorySink, type MemorySink } from "./memory-sink.ts";
export type { RecorderOptions } from "./recorder-options.ts";
export { createRecorder, type Recorder } from "./recorder.ts";
export type {
  CloseEvent,
  OpenEvent,
  ReportProblem,
  Sink,
  StepEnd,
  StepSink,
  StepStart,
  StepStatus,
  TrajectorySink,
} from "./sink.ts";
export { SAME_AS_BEFORE, type Snapshot } from "./snapshot.ts";
export { spanSink, type SpanSinkOptions } from "./span-sink.ts";
export type { StateWriter } from "./state-writer.ts";
export type { CaptureTask, TaskSource } from "./task-source.ts";
export type {
  CloseOptions,
  StepCapture,
  StepEndOptions,
  StepOptions,
  TrajectoryCapture,
  TrajectoryOptions,
} from "./trajectory-capture.ts";
// What an adapter that projects a host's state needs, so that this entry is all it imports.
export { blockKindOf, type ProjectionPolicy } from "../project/index.ts";
export type { Block, BlockKind, BlockState, JsonObject, JsonValue } from "../schema/index.ts";
