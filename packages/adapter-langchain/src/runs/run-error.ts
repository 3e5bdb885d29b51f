/** Reads a field of a thrown value, which may be anything at all. */
function field(error: unknown, name: string): unknown {
  try {
    return typeof error === "object" && error !== null ? (error as Record<string, unknown>)[name] : undefined;
  } catch {
    return undefined;
  }
}

/** True for LangGraph's own signals (interrupt, command to a parent graph), which are no errors. */
export function isBubbleUp(error: unknown): boolean {
  return field(error, "is_bubble_up") === true;
}

/** True when a run ended because its caller stopped it: an abort signal, or a stream that was left. */
export function isAbort(error: unknown): boolean {
  const name = field(error, "name");
  return name === "AbortError" || field(error, "code") === "ABORT_ERR" || field(error, "message") === "Abort";
}
