import { isJsonObject, type JsonObject, type JsonValue } from "../schema/index.ts";

/** A line of a provider's batch request file. */
export interface BatchRequest {
  /** The cache key of the reply. */
  custom_id: string;
  method: "POST";
  url: string;
  body: JsonObject;
}

/** A line of a provider's batch output or error file: the body of a good reply, or why there is none. */
export type BatchRow =
  | { customId: string; body: JsonValue; failure?: never }
  | { customId: string; body?: never; failure: string };

/**
 * Reads a line that a provider wrote: `{custom_id, response: {status_code, body}, error}`. What a
 * provider says in its own words is left out, since it may repeat what was sent.
 *
 * @returns undefined for a line that is none
 */
export function readBatchRow(json: unknown): BatchRow | undefined {
  if (!isJsonObject(json) || typeof json["custom_id"] !== "string") return undefined;
  const { custom_id: customId, response, error } = json;
  if (isJsonObject(error)) return { customId, failure: `error ${code(error["code"])}` };
  if (!isJsonObject(response)) return { customId, failure: "no response" };
  const { status_code: status, body = null } = response;
  if (status === 200) return { customId, body };
  const told = isJsonObject(body) && isJsonObject(body["error"]) ? ` ${code(body["error"]["code"])}` : "";
  return { customId, failure: `status ${typeof status === "number" ? status : "unknown"}${told}` };
}

/** A provider's code word, if it is one. */
function code(value: JsonValue | undefined): string {
  return typeof value === "string" && /^[\w.-]{1,60}$/.test(value) ? value : "without a code";
}
