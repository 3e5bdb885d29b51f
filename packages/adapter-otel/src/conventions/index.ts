export type { ForeignTraceLog, ForeignTraceOptions, ForeignTrajectory } from "./foreign-trace.ts";
export { readForeignTrace } from "./read-foreign-trace.ts";
