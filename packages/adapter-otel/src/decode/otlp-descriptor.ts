/**
 * The part of OTLP's protobuf encoding that holds spans and log records, written for this package from the
 * field numbers of opentelemetry-proto (Apache-2.0, see NOTICE) in the JSON form of protobufjs.
 *
 * Two things are unlike the original. The groups of the signals, which differ in the names of their
 * fields alone, are one message; and records stay bytes, so that each is decoded by itself: a damaged one
 * does not cost its whole batch, and a batch is never held as objects.
 */
export const OTLP_DESCRIPTOR = {
  nested: {
    Batch: { fields: { groups: repeated("Group", 1) } },
    Group: {
      fields: {
        resource: { type: "Resource", id: 1 },
        scopes: repeated("ScopeRecords", 2),
        // Before OTLP 0.15 spans stood under their instrumentation library.
        libraries: repeated("ScopeRecords", 1000),
      },
    },
    Resource: { fields: { attributes: repeated("KeyValue", 1) } },
    ScopeRecords: { fields: { scope: { type: "Scope", id: 1 }, records: repeated("bytes", 2) } },
    Scope: { fields: { name: { type: "string", id: 1 }, version: { type: "string", id: 2 } } },
    Span: {
      fields: {
        traceId: { type: "bytes", id: 1 },
        spanId: { type: "bytes", id: 2 },
        parentSpanId: { type: "bytes", id: 4 },
        name: { type: "string", id: 5 },
        startTimeUnixNano: { type: "fixed64", id: 7 },
        endTimeUnixNano: { type: "fixed64", id: 8 },
        attributes: repeated("KeyValue", 9),
        events: repeated("Event", 11),
        links: repeated("Link", 13),
        status: { type: "Status", id: 15 },
      },
    },
    Event: {
      fields: {
        timeUnixNano: { type: "fixed64", id: 1 },
        name: { type: "string", id: 2 },
        attributes: repeated("KeyValue", 3),
      },
    },
    Link: { fields: { traceId: { type: "bytes", id: 1 }, spanId: { type: "bytes", id: 2 } } },
    Status: { fields: { message: { type: "string", id: 2 }, code: { type: "int32", id: 3 } } },
    LogRecord: {
      fields: {
        timeUnixNano: { type: "fixed64", id: 1 },
        body: { type: "AnyValue", id: 5 },
        attributes: repeated("KeyValue", 6),
        traceId: { type: "bytes", id: 9 },
        spanId: { type: "bytes", id: 10 },
        observedTimeUnixNano: { type: "fixed64", id: 11 },
        eventName: { type: "string", id: 12 },
      },
    },
    KeyValue: { fields: { key: { type: "string", id: 1 }, value: { type: "AnyValue", id: 2 } } },
    AnyValue: {
      // Without it an empty string, false and zero would be the same as no value.
      oneofs: {
        kind: {
          oneof: [
            "stringValue",
            "boolValue",
            "intValue",
            "doubleValue",
            "arrayValue",
            "kvlistValue",
            "bytesValue",
          ],
        },
      },
      fields: {
        stringValue: { type: "string", id: 1 },
        boolValue: { type: "bool", id: 2 },
        intValue: { type: "int64", id: 3 },
        doubleValue: { type: "double", id: 4 },
        arrayValue: { type: "ArrayValue", id: 5 },
        kvlistValue: { type: "KeyValueList", id: 6 },
        bytesValue: { type: "bytes", id: 7 },
      },
    },
    ArrayValue: { fields: { values: repeated("AnyValue", 1) } },
    KeyValueList: { fields: { values: repeated("KeyValue", 1) } },
  },
};

function repeated(type: string, id: number) {
  return { rule: "repeated", type, id };
}
