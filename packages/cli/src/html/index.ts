export { openHtmlFile, reportChannel, type HtmlFile, type HtmlReport } from "./html-file.ts";
export { renderReport } from "./render-report.ts";
export type { ReportChannel, ReportInput } from "./report-input.ts";
