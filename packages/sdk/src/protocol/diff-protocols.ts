import { canonicalJson, isJsonObject, type JsonValue } from "../schema/index.ts";
import { protocolSettings } from "./define-protocol.ts";
import type { Protocol } from "./protocol.ts";

/** One setting two protocols do not share; an absent side does not have it. */
export interface ProtocolDifference {
  /** Dotted path, for example `buffer.maxTokens`. */
  path: string;
  a?: JsonValue;
  b?: JsonValue;
}

/** Every setting in which two protocols differ, in path order. Empty exactly when their ids are equal. */
export function diffProtocols(a: Protocol, b: Protocol): ProtocolDifference[] {
  return diff("", protocolSettings(a) as unknown as JsonValue, protocolSettings(b) as unknown as JsonValue);
}

function diff(path: string, a: JsonValue | undefined, b: JsonValue | undefined): ProtocolDifference[] {
  if (isJsonObject(a) && isJsonObject(b)) {
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].toSorted();
    return keys.flatMap((key) => diff(path === "" ? key : `${path}.${key}`, a[key], b[key]));
  }
  if (a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b)) return [];
  return [{ path, ...(a !== undefined && { a }), ...(b !== undefined && { b }) }];
}
