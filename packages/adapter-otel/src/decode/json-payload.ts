import { attributesOf } from "./attributes.ts";
import type { DecodeContext } from "./decode-sink.ts";
import { readJaegerTrace } from "./jaeger-trace.ts";
import { fieldsAt, firstOf, isFields, listAt, textOf, type JsonFields } from "./json-fields.ts";
import { readJsonLog } from "./json-log.ts";
import { NO_ORIGIN, readJsonSpan, scopeOf, type Origin } from "./json-span.ts";

/** Wrappers within wrappers are followed no deeper. */
const WRAPPERS = 3;

/**
 * Reads the spans and log records of one JSON value: OTLP of every signal, Tempo's `batches`, Jaeger's
 * `data`, lists of spans, a span alone. Returns why nothing was read, for a value that is none of these.
 */
export function readJsonPayload(value: unknown, context: DecodeContext): string | undefined {
  return readValue(value, context, WRAPPERS);
}

function readValue(value: unknown, context: DecodeContext, wrappers: number): string | undefined {
  if (Array.isArray(value)) return readList(value, context, wrappers);
  if (!isFields(value)) return "the value is no object";
  if (hasAny(value, SIGNALS)) {
    readSignals(value, context);
    return undefined;
  }
  if (isSpan(value)) {
    readJsonSpan(value, NO_ORIGIN, context);
    return undefined;
  }
  if (isJaegerTrace(value)) {
    readJaegerTrace(value, context);
    return undefined;
  }
  if (Array.isArray(value["spans"])) return readSpans(value["spans"], context);
  if (Array.isArray(value["observations"]) && isFields(value["trace"])) {
    return "this is a Langfuse export, which `asv import langfuse` reads";
  }
  if (textOf(value["schema_version"])?.startsWith("asv.") === true) {
    return "this is a record of the toolkit, not OTLP; `asv import asv-v1` reads it, and --states joins its states";
  }
  const inner = firstOf(value["data"], value["trace"], value["traces"]);
  if (wrappers > 0 && inner !== undefined) return readValue(inner, context, wrappers - 1);
  return "the object holds no spans and no log records of any known layout";
}

const SIGNALS = [
  "resourceSpans",
  "resource_spans",
  "batches",
  "resourceLogs",
  "resource_logs",
  "resourceMetrics",
  "resource_metrics",
  "resourceProfiles",
  "resource_profiles",
];

function hasAny(fields: JsonFields, names: readonly string[]): boolean {
  return names.some((name) => Array.isArray(fields[name]));
}

function isSpan(fields: JsonFields): boolean {
  const own = fieldsAt(fields, "spanContext", "context", "span_context") ?? fields;
  return firstOf(own["spanId"], own["span_id"]) !== undefined;
}

function isJaegerTrace(fields: JsonFields): boolean {
  const spans = fields["spans"];
  return Array.isArray(spans) && isFields(spans[0]) && spans[0]["spanID"] !== undefined;
}

/** Spans one by one, or values that each hold some. What fits nothing is told once. */
function readList(items: readonly unknown[], context: DecodeContext, wrappers: number): string | undefined {
  if (wrappers === 0) return "the list is nested too deeply";
  let first: string | undefined;
  for (const item of items) {
    const problem = readValue(item, context, wrappers - 1);
    first ??= problem;
  }
  return first;
}

function readSpans(spans: readonly unknown[], context: DecodeContext): undefined {
  for (const item of spans) {
    if (isFields(item)) readJsonSpan(item, NO_ORIGIN, context);
    else context.sink.invalid("span", "a span is no object");
  }
}

function readSignals(fields: JsonFields, context: DecodeContext): void {
  for (const name of ["resourceSpans", "resource_spans", "batches"]) {
    for (const group of listAt(fields, name)) readSpanGroup(group, context);
  }
  for (const name of ["resourceLogs", "resource_logs"]) {
    for (const group of listAt(fields, name)) readLogGroup(group, context);
  }
  for (const name of ["resourceMetrics", "resource_metrics", "resourceProfiles", "resource_profiles"]) {
    for (const _ of listAt(fields, name)) context.sink.other();
  }
}

function readSpanGroup(group: unknown, context: DecodeContext): void {
  for (const { scope, origin } of scopes(group, SPAN_SCOPES)) {
    for (const span of listAt(scope, "spans")) {
      if (isFields(span)) readJsonSpan(span, origin, context);
      else context.sink.invalid("span", "a span is no object");
    }
  }
}

function readLogGroup(group: unknown, context: DecodeContext): void {
  for (const { scope, origin } of scopes(group, LOG_SCOPES)) {
    for (const log of listAt(scope, "logRecords", "log_records", "logs")) {
      if (isFields(log)) readJsonLog(log, origin, context);
      else context.sink.invalid("log", "a log record is no object");
    }
  }
}

const SPAN_SCOPES = [
  "scopeSpans",
  "scope_spans",
  "instrumentationLibrarySpans",
  "instrumentation_library_spans",
];
const LOG_SCOPES = ["scopeLogs", "scope_logs", "instrumentationLibraryLogs", "instrumentation_library_logs"];

function* scopes(group: unknown, names: readonly string[]): Generator<{ scope: JsonFields; origin: Origin }> {
  if (!isFields(group)) return;
  const resource = attributesOf(fieldsAt(group, "resource")?.["attributes"]);
  for (const name of names) {
    for (const scope of listAt(group, name)) {
      if (!isFields(scope)) continue;
      const given = firstOf(
        scope["scope"],
        scope["instrumentationLibrary"],
        scope["instrumentation_library"],
      );
      yield { scope, origin: { resource, scope: scopeOf(given, NO_ORIGIN) } };
    }
  }
}
