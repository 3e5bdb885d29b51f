import type { z } from "zod";
import { InvalidRecordError, showValue, type RecordPlace } from "../../errors/index.ts";
import { fieldPath } from "../field-path.ts";
import { findJsonProblem } from "../json-problem.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import type { RecordType } from "./wire-type.ts";

/**
 * Validates one parsed line and turns it into its memory form.
 *
 * @throws {InvalidRecordError} with place, field path and the value found there
 */
export function decodeRecord<T>(type: RecordType<T>, json: unknown, place: RecordPlace): T {
  const unsound = findJsonProblem(json);
  if (unsound !== undefined) throw new InvalidRecordError(place, fieldPath(unsound.path), unsound.problem);
  const result = type.check(json);
  if (!result.success) refuse(result.error.issues[0]!, json, place);
  return type.decode(json as JsonObject);
}

function refuse(issue: z.core.$ZodIssue, json: unknown, place: RecordPlace): never {
  const value = valueAt(json, issue.path);
  const shown = issue.code === "custom" && issue.params?.["shown"] === true;
  const problem =
    value === undefined ? `is missing; it ${issue.message}` : `${issue.message}, got ${showValue(value)}`;
  throw new InvalidRecordError(place, fieldPath(issue.path), shown ? issue.message : problem);
}

function valueAt(json: unknown, path: readonly PropertyKey[]): unknown {
  let value = json;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

/**
 * Refuses a record of another schema version by name.
 *
 * @param expected the version this release reads
 * @param missing what a record without `schema_version` counts as
 * @throws {InvalidRecordError} with code `unknown_schema_version`
 */
export function checkSchemaVersion(
  json: unknown,
  place: RecordPlace,
  expected: string,
  missing?: string,
): asserts json is JsonObject {
  if (!isJsonObject(json)) {
    throw new InvalidRecordError(place, "", `a record must be a JSON object, got ${showValue(json)}`);
  }
  const version = (Object.hasOwn(json, "schema_version") ? json["schema_version"] : null) ?? missing;
  if (version === expected) return;
  const found = version === undefined ? "is missing" : `is ${showValue(version)}`;
  throw new InvalidRecordError(
    place,
    "schema_version",
    `${found}; expected ${JSON.stringify(expected)}. Check that this is the right kind of file, or use the release that wrote it.`,
    { code: "unknown_schema_version" },
  );
}
