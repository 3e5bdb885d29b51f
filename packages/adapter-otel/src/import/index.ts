export type { OtlpSource } from "../framing/source.ts";
export { importOtlp, type OtlpImport } from "./import-otlp.ts";
export type { OtlpImportOptions } from "./import-options.ts";
export type { OtlpFileReport, OtlpImportReport, OtlpProblem } from "./import-report.ts";
