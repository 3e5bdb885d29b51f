import type { Long } from "protobufjs";
import type { Attributes, AttributeValue } from "../spans/otel-span.ts";
import { checkDepth } from "./attribute-value.ts";
import { NO_ATTRIBUTES } from "./attributes.ts";
import { narrowed } from "./integer.ts";
import type { ProtoAny, ProtoKeyValue } from "./proto-types.ts";

/** Attributes of a protobuf message. Of a key that stands twice the last one wins. */
export function protoAttributes(list: readonly ProtoKeyValue[] | undefined): Attributes {
  if (list === undefined || list.length === 0) return NO_ATTRIBUTES;
  const attributes = new Map<string, AttributeValue>();
  for (const { key, value } of list) attributes.set(key, protoValue(value, 0));
  return attributes;
}

/** @throws {RangeError} for a value nested too deeply */
export function protoValue(value: ProtoAny | null | undefined, depth: number): AttributeValue {
  checkDepth(depth);
  switch (value?.kind) {
    case "stringValue":
      return value.stringValue;
    case "boolValue":
      return value.boolValue;
    case "intValue":
      return narrowed(integer(value.intValue));
    case "doubleValue":
      return value.doubleValue;
    case "bytesValue":
      // A copy: the message's bytes are a window that moves on.
      return new Uint8Array(value.bytesValue);
    case "arrayValue":
      return (value.arrayValue.values ?? []).map((item) => protoValue(item, depth + 1));
    case "kvlistValue": {
      const object: Record<string, AttributeValue> = Object.create(null);
      for (const { key, value: item } of value.kvlistValue.values ?? [])
        object[key] = protoValue(item, depth + 1);
      return object;
    }
    default:
      return null;
  }
}

/** Nanoseconds of a fixed64. */
export function unsigned(value: Long): bigint {
  return (BigInt(value.high >>> 0) << 32n) | BigInt(value.low >>> 0);
}

function integer(value: Long): bigint {
  return (BigInt(value.high) << 32n) | BigInt(value.low >>> 0);
}
