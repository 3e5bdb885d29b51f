export { openHtmlFile, reportChannel, type HtmlFile, type HtmlReport } from "./html-file.ts";
