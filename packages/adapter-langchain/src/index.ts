/**
 * Capture for LangChain: agents of createAgent, LangGraph graphs and Runnables as trajectories of
 * before-state, action, after-state.
 *
 * @module
 */
export { withASVCapture, type Capturable } from "./wrap/with-asv-capture.ts";
export { asvCallbackHandler } from "./wrap/capture-handler.ts";
export { asvMiddleware, type ASVMiddleware } from "./middleware/asv-middleware.ts";
export { asvFlush } from "./wrap/asv-flush.ts";
export type { ASVCallbackHandler } from "./wrap/callback-handler.ts";
export type { ASVCaptureOptions } from "./wrap/capture-options.ts";
export type { ParallelMode } from "./runs/capture-context.ts";
export type { Fidelity } from "./runs/step-writer.ts";
