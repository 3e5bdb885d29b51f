import type { CloseOptions } from "@agent-step-value/sdk/capture";

/** How a run came to its end. */
export type RunStatus = Exclude<CloseOptions["status"], "interrupted">;

const ABORTS: ReadonlySet<unknown> = new Set(["AbortError", "TimeoutError", "ResponseAborted"]);

/** Reads a field of a thrown value, which may be anything at all. */
function field(value: unknown, name: string): unknown {
  try {
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  } catch {
    return undefined;
  }
}

/**
 * How a run ended that threw: `aborted` when its caller's signal was raised, whatever the reason given
 * with it, or a time limit ran out.
 */
export function statusOfError(error: unknown, signal: unknown): "aborted" | "error" {
  if (field(signal, "aborted") === true) return "aborted";
  return ABORTS.has(field(error, "name")) ? "aborted" : "error";
}
