export { importAsvV1 } from "./import-asv-v1.ts";
export type { ImportLine, ImportLines } from "./import-line.ts";
export { importPubmedqa, type PubmedqaOptions } from "./import-pubmedqa.ts";
export { importReact, type ReactOptions } from "./import-react.ts";
export type { ImportReport, ImportRun, ImportWarning } from "./import-run.ts";
export { importWhoAndWhen, type WhoAndWhenOptions } from "./import-who-and-when.ts";
export { importFormat, importers, type ImportFormat } from "./importers.ts";
export type { RunAnswer } from "./who-and-when-record.ts";
