export { openJsonlWriter, type JsonlWriter, type WriteOptions } from "./jsonl-writer.ts";
export { linkedPath } from "./linked-path.ts";
export { packTrajectories, type Packed } from "./pack-trajectories.ts";
export { readLines, readRecords, type JsonLine } from "./read-records.ts";
export { readTrajectories } from "./read-trajectories.ts";
export type { OnWarning, ReadOptions, ReadWarning } from "./read-warning.ts";
export type { JsonlSource } from "./source.ts";
