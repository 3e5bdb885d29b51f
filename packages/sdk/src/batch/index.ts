export type { BatchOptions } from "./batch-options.ts";
export { readBatchRow, type BatchRequest, type BatchRow } from "./batch-row.ts";
export { exportBatch, type BatchExport } from "./export-batch.ts";
export { importBatch, type BatchImport, type BatchImportOptions, type Reread } from "./import-batch.ts";
