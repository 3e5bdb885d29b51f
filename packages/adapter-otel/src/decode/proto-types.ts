import type { Long, Reader, Type } from "protobufjs";
import { OTLP_DESCRIPTOR } from "./otlp-descriptor.ts";

/**
 * Messages as protobufjs decodes {@link OTLP_DESCRIPTOR}. A field that the wire leaves out has the
 * default of its type; of messages and lists, nothing.
 */
export interface ProtoBatch {
  readonly groups?: readonly ProtoGroup[];
}
export interface ProtoGroup {
  readonly resource?: { readonly attributes?: readonly ProtoKeyValue[] } | null;
  readonly scopes?: readonly ProtoScope[];
  readonly libraries?: readonly ProtoScope[];
}
export interface ProtoScope {
  readonly scope?: { readonly name: string; readonly version: string } | null;
  readonly records?: readonly Uint8Array[];
}
export interface ProtoSpan {
  readonly traceId: Uint8Array;
  readonly spanId: Uint8Array;
  readonly parentSpanId: Uint8Array;
  readonly name: string;
  readonly startTimeUnixNano: Long;
  readonly endTimeUnixNano: Long;
  readonly attributes?: readonly ProtoKeyValue[];
  readonly events?: readonly ProtoEvent[];
  readonly links?: readonly { readonly traceId: Uint8Array; readonly spanId: Uint8Array }[];
  readonly status?: { readonly message: string; readonly code: number } | null;
}
export interface ProtoEvent {
  readonly timeUnixNano: Long;
  readonly name: string;
  readonly attributes?: readonly ProtoKeyValue[];
}
export interface ProtoLog {
  readonly timeUnixNano: Long;
  readonly observedTimeUnixNano: Long;
  readonly body?: ProtoAny | null;
  readonly attributes?: readonly ProtoKeyValue[];
  readonly traceId: Uint8Array;
  readonly spanId: Uint8Array;
  readonly eventName: string;
}
export interface ProtoKeyValue {
  readonly key: string;
  readonly value?: ProtoAny | null;
}
export interface ProtoAny {
  /** Name of the field that is set. */
  readonly kind?: string;
  readonly stringValue: string;
  readonly boolValue: boolean;
  readonly intValue: Long;
  readonly doubleValue: number;
  readonly arrayValue: { readonly values?: readonly ProtoAny[] };
  readonly kvlistValue: { readonly values?: readonly ProtoKeyValue[] };
  readonly bytesValue: Uint8Array;
}

/** Decodes one message each. Every method throws for bytes that are no such message. */
export interface ProtoDecoders {
  batch(bytes: Uint8Array): ProtoBatch;
  span(bytes: Uint8Array): ProtoSpan;
  log(bytes: Uint8Array): ProtoLog;
  /** For looking at a record's tags. */
  reader(bytes: Uint8Array): Reader;
}

/** Messages of one value's nesting: a kvlist within a kvlist is three. */
const RECURSION = 1024;

let loading: Promise<ProtoDecoders> | undefined;

/** The decoders, loaded when the first protobuf message turns up. */
export function protoDecoders(): Promise<ProtoDecoders> {
  return (loading ??= load());
}

async function load(): Promise<ProtoDecoders> {
  const { default: protobuf } = await import("protobufjs/light.js");
  const root = protobuf.Root.fromJSON(OTLP_DESCRIPTOR);
  const decoder = <T>(type: Type): ((bytes: Uint8Array) => T) => {
    return (bytes) => {
      // The limit is the library's own and shared by all who use this copy of it, so it is given back.
      const limit = protobuf.Reader.recursionLimit;
      protobuf.Reader.recursionLimit = Math.max(limit, RECURSION);
      try {
        return type.decode(bytes) as unknown as T;
      } finally {
        protobuf.Reader.recursionLimit = limit;
      }
    };
  };
  return {
    batch: decoder(root.lookupType("Batch")),
    span: decoder(root.lookupType("Span")),
    log: decoder(root.lookupType("LogRecord")),
    reader: (bytes) => protobuf.Reader.create(bytes),
  };
}
