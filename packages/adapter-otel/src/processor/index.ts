export { asvSpanProcessor, type AsvSpanProcessor } from "./asv-span-processor.ts";
export type { ProcessedSpan } from "./processed-span.ts";
export { SpanProcessorError, type SpanProcessorProblem } from "./processor-error.ts";
export type { SpanProcessorOptions } from "./processor-options.ts";
export type { SpanProcessorReport } from "./processor-report.ts";
export { asvRecordAll, type SamplerLike } from "./record-all-sampler.ts";
