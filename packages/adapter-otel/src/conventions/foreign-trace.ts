import type { Trajectory } from "@agent-step-value/sdk";
import type { OtelSpan } from "../spans/otel-span.ts";

/** What a foreign trace is read for and with. */
export interface ForeignTraceOptions {
  /** Read only this convention; by default each span is read by the first that owns it. */
  readonly convention?: string;
}

/** Notes what a trace lacked or what was left out of it. */
export interface ForeignTraceLog {
  /** Something missing, folded or refused, by stable code: `no_content`, `gold_refused`, `double_recorded`, ... */
  warn(code: string, message: string, span?: OtelSpan): void;
  /** How each span was used. */
  used(span: OtelSpan, convention: string, as: "run" | "step" | "folded" | "plumbing" | "refused"): void;
}

/** A trajectory rebuilt from calls, and how faithful that is. */
export interface ForeignTrajectory {
  readonly trajectory: Trajectory;
  readonly convention: string;
  /** What the source gave and what was rebuilt, in one sentence for the import report. */
  readonly fidelity: string;
}
