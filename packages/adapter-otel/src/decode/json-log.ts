import { anyValue } from "./attribute-value.ts";
import { attributesOf } from "./attributes.ts";
import type { DecodeContext } from "./decode-sink.ts";
import { identifierOf, SPAN_ID_BYTES, TRACE_ID_BYTES } from "./identifier.ts";
import { integerOf } from "./integer.ts";
import { firstOf, textOf, type JsonFields } from "./json-fields.ts";
import type { Origin } from "./json-span.ts";

/** A log record of OTLP JSON. */
export function readJsonLog(fields: JsonFields, origin: Origin, context: DecodeContext): void {
  const { sink, place } = context;
  try {
    const traceId = identifierOf(firstOf(fields["traceId"], fields["trace_id"]), TRACE_ID_BYTES);
    const spanId = identifierOf(firstOf(fields["spanId"], fields["span_id"]), SPAN_ID_BYTES);
    const attributes = attributesOf(fields["attributes"]);
    const eventName =
      textOf(firstOf(fields["eventName"], fields["event_name"])) || textOf(attributes.get("event.name"));
    sink.log({
      ...(traceId !== undefined && { traceId }),
      ...(spanId !== undefined && { spanId }),
      ...(eventName !== undefined && eventName !== "" && { eventName }),
      timeNanos:
        integerOf(firstOf(fields["timeUnixNano"], fields["time_unix_nano"])) ||
        integerOf(firstOf(fields["observedTimeUnixNano"], fields["observed_time_unix_nano"])) ||
        0n,
      body: fields["body"] === undefined ? undefined : anyValue(fields["body"]),
      attributes,
      ...origin,
      order: context.nextOrder(),
      place,
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    sink.invalid("log", error.message);
  }
}
