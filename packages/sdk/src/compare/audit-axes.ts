import { isJsonObject, type JsonValue } from "../schema/index.ts";

/** Where a channel stands in the audit's table. */
export interface AuditAxes {
  slice: string;
  buffer: string;
}

/**
 * State slice and buffer policy of a protocol, as a score file holds it: `full` and `generated-128`, for
 * example. `unknown` where the settings do not say.
 */
export function auditAxes(protocol: JsonValue | undefined): AuditAxes {
  const buffer = at(protocol, "buffer");
  const kind = word(at(buffer, "kind"));
  const tokens = at(buffer, "max_tokens");
  return {
    slice: word(at(at(protocol, "projection"), "slice")) ?? UNKNOWN,
    buffer: kind === undefined ? UNKNOWN : typeof tokens === "number" ? `${kind}-${tokens}` : kind,
  };
}

const UNKNOWN = "unknown";

function at(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function word(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
