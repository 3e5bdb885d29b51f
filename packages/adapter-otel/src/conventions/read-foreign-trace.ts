import type { OtelLog, OtelSpan } from "../spans/otel-span.ts";
import type { ForeignTraceLog, ForeignTraceOptions, ForeignTrajectory } from "./foreign-trace.ts";

/**
 * Trajectories of spans that another instrumentation wrote. `spans` are those of one trace, in any
 * order, without `asv.*` spans; `logs` are log records of the same trace. Never throws for what the
 * trace holds; what is missing, folded or refused goes to `log`.
 */
export function readForeignTrace(
  spans: readonly OtelSpan[],
  logs: readonly OtelLog[],
  options: ForeignTraceOptions,
  log: ForeignTraceLog,
): ForeignTrajectory[] {
  void logs;
  void options;
  for (const span of spans) log.used(span, "none", "plumbing");
  return [];
}
