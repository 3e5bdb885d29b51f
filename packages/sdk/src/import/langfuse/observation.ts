import { isJsonObject, type JsonObject } from "../../schema/index.ts";
import { langfuseValue } from "./langfuse-value.ts";

/** One observation of a trace, as far as it is read. Its metadata is not, but for the graph node it names. */
export interface Observation {
  readonly id: string;
  readonly parentId: string | undefined;
  /** GENERATION, SPAN, TOOL, EVENT, AGENT, CHAIN, RETRIEVER, EVALUATOR, EMBEDDING, GUARDRAIL. */
  readonly type: string;
  readonly name: string;
  /** Milliseconds; NaN where the export does not say. */
  readonly start: number;
  readonly end: number;
  readonly failed: boolean;
  readonly statusMessage: string;
  /** Node of a LangGraph graph. */
  readonly node: string | undefined;
  readonly usage: { readonly input: unknown; readonly output: unknown };
  /** Place in the file. */
  readonly order: number;
  /** The fields as exported; {@link inputOf} and {@link outputOf} read them. */
  readonly raw: JsonObject;
}

/** A field by its name in the API or in a table export. */
export function field(object: JsonObject, name: string): unknown {
  if (Object.hasOwn(object, name)) return object[name];
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.hasOwn(object, snake) ? object[snake] : undefined;
}

/** Undefined for a value without an id, which nothing can refer to. */
export function readObservation(value: unknown, order: number): Observation | undefined {
  if (!isJsonObject(value)) return undefined;
  const id = text(value, "id");
  if (id === undefined) return undefined;
  const metadata = langfuseValue(field(value, "metadata"));
  const node = isJsonObject(metadata) ? metadata["langgraph_node"] : undefined;
  const details = field(value, "usageDetails");
  const usage = isJsonObject(details) ? details : field(value, "usage");
  const used = isJsonObject(usage) ? usage : {};
  return {
    id,
    parentId: text(value, "parentObservationId"),
    type: (text(value, "type") ?? "SPAN").toUpperCase(),
    name: text(value, "name") ?? "",
    start: timeOf(field(value, "startTime")),
    end: timeOf(field(value, "endTime")),
    failed: field(value, "level") === "ERROR",
    statusMessage: text(value, "statusMessage") ?? "",
    node: typeof node === "string" && node !== "" ? node : undefined,
    usage: { input: used["input"], output: used["output"] },
    order,
    raw: value,
  };
}

export function inputOf({ raw }: Observation): unknown {
  return langfuseValue(field(raw, "input"));
}

export function outputOf({ raw }: Observation): unknown {
  return langfuseValue(field(raw, "output"));
}

/** True where an export left input and output out, as the copies inside a trace do. */
export function isStripped({ raw }: Observation): boolean {
  return isNothing(field(raw, "input")) && isNothing(field(raw, "output"));
}

export function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function text(object: JsonObject, name: string): string | undefined {
  const value = field(object, name);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Milliseconds since 1970, with what an export says beyond them; table exports have no zone and mean UTC. */
function timeOf(value: unknown): number {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return Number.NaN;
  const iso = value.trim().replace(" ", "T");
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/i.test(iso) ? iso : `${iso}Z`;
  const finer = /\.\d{3}(\d{1,9})/.exec(zoned)?.[1];
  return Date.parse(zoned) + (finer === undefined ? 0 : Number(`0.${finer}`));
}
