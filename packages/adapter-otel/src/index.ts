/**
 * Agent Step Value over OpenTelemetry: a span processor, an importer of OTLP files and foreign conventions,
 * stored runs as spans, and step values as evaluation events.
 *
 * @module
 */
export * from "./asv-spans/index.ts";
export * from "./evaluations/index.ts";
export * from "./import/index.ts";
export * from "./processor/index.ts";
