export type { AsvAttributes, AsvSpan, AsvStateLog, AsvTelemetry, SpanTime } from "./asv-span.ts";
export { LeftOut } from "./left-out.ts";
export { stepPlace, trajectoryPlace, type SpanPlace } from "./span-ids.ts";
export { trajectoryTelemetry, type TrajectoryTelemetryOptions } from "./trajectory-telemetry.ts";
