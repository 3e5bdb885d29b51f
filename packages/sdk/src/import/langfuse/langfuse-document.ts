import { InvalidRecordError, type RecordPlace } from "../../errors/index.ts";
import { isJsonObject, type JsonObject } from "../../schema/index.ts";
import { field } from "./observation.ts";

/** A trace and its observations, wherever an export keeps them. */
export interface LangfuseTrace {
  readonly trace: JsonObject;
  readonly observations: readonly unknown[];
}

const SHAPES =
  "must be a Langfuse export: {trace, observations}, a trace with its observations, a list of these, or observations";

/**
 * The traces of a document, and the rows of an export that has observations without traces.
 *
 * @throws InvalidRecordError for a document that is none of these
 */
export function readDocument(
  json: unknown,
  place: RecordPlace,
): { traces: LangfuseTrace[]; rows: JsonObject[] } {
  const found: { traces: LangfuseTrace[]; rows: JsonObject[] } = { traces: [], rows: [] };
  const data = isJsonObject(json) && Array.isArray(json["data"]) ? json["data"] : json;
  const isList = Array.isArray(data);
  for (const [i, value] of (isList ? data : [data]).entries()) {
    const path = isList ? `[${i}]` : "";
    if (!isJsonObject(value)) throw new InvalidRecordError(place, path, SHAPES);
    const trace = traceOf(value);
    if (trace !== undefined) found.traces.push(trace);
    else if (isRow(value)) found.rows.push(value);
    else throw new InvalidRecordError(place, path, SHAPES);
  }
  return found;
}

function traceOf(value: JsonObject): LangfuseTrace | undefined {
  const { trace, observations } = value;
  if (isJsonObject(trace)) {
    // The copies inside the trace have no content; they are read only where there is nothing else.
    const own = Array.isArray(observations) ? observations : trace["observations"];
    return Array.isArray(own) ? { trace, observations: own } : undefined;
  }
  return Array.isArray(observations) ? { trace: value, observations } : undefined;
}

function isRow(value: JsonObject): boolean {
  return typeof field(value, "traceId") === "string" && typeof field(value, "type") === "string";
}
