import { isJsonObject, type JsonValue } from "../schema/index.ts";
import type { ProtocolSettings } from "./protocol.ts";

/** Settings whose name has two words. All others are spelled alike in memory and in files. */
const names: readonly (readonly [memory: string, wire: string])[] = [
  ["maxChars", "max_chars"],
  ["maxTokens", "max_tokens"],
  ["topLogprobs", "top_logprobs"],
];
const toWireName = new Map(names);
const toMemoryName = new Map(names.map(([memory, wire]) => [wire, memory] as const));

/** Settings as they stand in a score file. The id is the digest of this form, so a reader can redo it. */
export function settingsToWire(settings: ProtocolSettings): JsonValue {
  return renamed(settings as unknown as JsonValue, toWireName);
}

/** The in-memory form of settings read from a file; not validated here. */
export function settingsFromWire(wire: JsonValue): JsonValue {
  return renamed(wire, toMemoryName);
}

/** A copy with keys renamed. `parameters` are an evaluator's own words and stay as they are. */
function renamed(value: JsonValue, table: ReadonlyMap<string, string>): JsonValue {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      table.get(key) ?? key,
      key === "parameters" ? structuredClone(item) : renamed(item, table),
    ]),
  );
}
