import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AttributeValue, OtelSpan } from "../spans/otel-span.ts";
import { attributesOf } from "./spans.test-support.ts";

/** Path of a data file that lies beside the repository checkout; says so once where it is not there. */
export function sharedTrace(name: string): string | undefined {
  const file = fileURLToPath(new URL(`../../../../../shared/data/traces/${name}`, import.meta.url));
  if (existsSync(file)) return file;
  console.warn(
    `SKIPPED: data/traces/${name} is not beside this checkout; the tests that need it do not run.`,
  );
  return undefined;
}

interface Loose {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string | undefined;
  readonly name: string;
  readonly start: bigint;
  readonly end?: bigint;
  readonly attributes: ReadonlyMap<string, AttributeValue>;
  readonly status?: { readonly code: "unset" | "ok" | "error"; readonly message?: string };
  readonly scope?: string;
}

function spanOf(loose: Loose, order: number): OtelSpan {
  const { traceId, spanId, parentSpanId, name, start, end, attributes, status, scope } = loose;
  return {
    traceId,
    spanId,
    ...(parentSpanId !== undefined && parentSpanId !== "" && { parentSpanId }),
    name,
    startNanos: start,
    ...(end !== undefined && { endNanos: end }),
    attributes,
    events: [],
    links: [],
    status: status ?? { code: "unset" },
    scope: { name: scope ?? "" },
    resource: new Map(),
    order,
    place: { source: "file", line: order + 1 },
  };
}

/** JSON with integers beyond 2^53 as texts, so that ids keep their digits. */
function exactJson(file: string): unknown {
  const text = readFileSync(file, "utf8").replaceAll(/([:[,]\s*)(\d{16,})(?=\s*[,}\]])/g, '$1"$2"');
  return JSON.parse(text);
}

type Json = Record<string, any>;

/** A list of spans with plain attributes, as OpenInference's own tests dump them. */
export function openInferenceSpans(file: string): OtelSpan[] {
  return (exactJson(file) as Json[]).map((span, order) =>
    spanOf(
      {
        traceId: span["trace_id"],
        spanId: span["span_id"],
        parentSpanId: span["parent_span_id"] ?? undefined,
        name: span["name"],
        start: BigInt(span["start_time"]),
        end: BigInt(span["end_time"]),
        attributes: attributesOf(span["attributes"]),
        scope: span["scope"]["name"],
      },
      order,
    ),
  );
}

/** any-agent's export: integer ids, a parent object of nulls on the root. */
export function anyAgentSpans(file: string): OtelSpan[] {
  return (exactJson(file) as Json)["spans"].map((span: Json, order: number) =>
    spanOf(
      {
        traceId: String(span["context"]["trace_id"]),
        spanId: String(span["context"]["span_id"]),
        parentSpanId: span["parent"]["span_id"] === null ? undefined : String(span["parent"]["span_id"]),
        name: span["name"],
        start: BigInt(span["start_time"]),
        end: BigInt(span["end_time"]),
        attributes: attributesOf(span["attributes"]),
      },
      order,
    ),
  );
}

function otlpValue(value: Json): AttributeValue {
  if ("intValue" in value) return Number(value["intValue"]);
  const [only] = Object.values(value);
  return (only ?? null) as AttributeValue;
}

/** A Grafana Tempo export: OTLP under older names. */
export function tempoSpans(file: string): OtelSpan[] {
  const batches = (exactJson(file) as Json)["batches"] as Json[];
  const found: Loose[] = batches.flatMap((batch) =>
    (batch["instrumentationLibrarySpans"] as Json[]).flatMap((group) =>
      (group["spans"] as Json[]).map((span) => ({
        traceId: span["traceId"],
        spanId: span["spanId"],
        parentSpanId: span["parentSpanId"],
        name: span["name"],
        start: BigInt(span["startTimeUnixNano"]),
        end: BigInt(span["endTimeUnixNano"]),
        attributes: new Map(
          ((span["attributes"] ?? []) as Json[]).map(({ key, value }) => [key, otlpValue(value)]),
        ),
        scope: group["instrumentationLibrary"]["name"],
      })),
    ),
  );
  return found.map(spanOf);
}

function hrTime([seconds, nanos]: readonly [number, number]): bigint {
  return BigInt(seconds) * 1_000_000_000n + BigInt(nanos);
}

const CODES = ["unset", "ok", "error"] as const;

/** Spans of a JavaScript SDK as they are in memory, or dumped as JSON. */
export function readableSpans(list: readonly unknown[]): OtelSpan[] {
  return (list as readonly Json[]).map((span, order) => {
    const context = typeof span["spanContext"] === "function" ? span["spanContext"]() : span["spanContext"];
    const made = spanOf(
      {
        traceId: context.traceId,
        spanId: context.spanId,
        parentSpanId: span["parentSpanContext"]?.spanId ?? span["parentSpanId"],
        name: span["name"],
        start: hrTime(span["startTime"]),
        end: hrTime(span["endTime"]),
        attributes: attributesOf(span["attributes"]),
        status: { code: CODES[span["status"].code as 0 | 1 | 2], message: span["status"].message ?? "" },
        scope: (span["instrumentationScope"] ?? span["instrumentationLibrary"])?.name ?? "",
      },
      order,
    );
    const events = (span["events"] as Json[]).map((event) => ({
      name: event["name"],
      timeNanos: hrTime(event["time"]),
      attributes: attributesOf(event["attributes"] ?? {}),
    }));
    return { ...made, events };
  });
}

/** Observations of a Langfuse API export as the span attributes its SDK would have sent. */
export function langfuseSpans(file: string): OtelSpan[] {
  const { observations } = exactJson(file) as { observations: Json[] };
  return observations.map((seen, order) =>
    spanOf(
      {
        traceId: seen["traceId"],
        spanId: seen["id"],
        parentSpanId: seen["parentObservationId"] ?? undefined,
        name: seen["name"],
        start: BigInt(Date.parse(seen["startTime"])) * 1_000_000n,
        end: BigInt(Date.parse(seen["endTime"])) * 1_000_000n,
        attributes: attributesOf({
          "langfuse.observation.type": String(seen["type"]).toLowerCase(),
          "langfuse.observation.input": seen["input"] ?? undefined,
          "langfuse.observation.output": seen["output"] ?? undefined,
          "langfuse.observation.metadata": seen["metadata"] ?? undefined,
          "langfuse.observation.model.name": seen["model"] ?? undefined,
          "langfuse.observation.usage_details": JSON.stringify(seen["usageDetails"] ?? {}),
        }),
        scope: "langfuse-sdk",
      },
      order,
    ),
  );
}
