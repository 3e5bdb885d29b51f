export type { ForeignTraceLog, ForeignTrajectory } from "./foreign-trace.ts";
export { readForeignTrace } from "./read-foreign-trace.ts";
