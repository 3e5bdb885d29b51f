/**
 * Capture for the AI SDK 5, 6 and 7: calls of generateText, streamText, generateObject and streamObject, and
 * agents, as trajectories of before-state, action, after-state.
 *
 * @module
 */
export { withASVCapture, type Capturable } from "./wrap/with-asv-capture.ts";
export { asvTelemetry, type ASVTelemetry } from "./telemetry/asv-telemetry.ts";
export { asvFlush } from "./wrap/asv-flush.ts";
export type { ASVCaptureOptions } from "./wrap/capture-options.ts";
export type { Fidelity } from "./runs/step-writer.ts";
