import { isJsonObject, type JsonObject } from "../../schema/index.ts";

/** How a sample ended, for its owner: never part of a state. */
export interface InspectOutcome {
  success?: boolean;
  finalScore?: number;
  status?: string;
}

const VERDICTS = new Map<unknown, boolean>([
  ["C", true],
  ["I", false],
  [true, true],
  [false, false],
]);

/** The outcome where one scorer gave one: a verdict, or a number. Several scorers would need a choice. */
export function inspectOutcome({ scores, error }: JsonObject): InspectOutcome {
  const status = isJsonObject(error) ? { status: "error" } : {};
  const given = isJsonObject(scores) ? Object.values(scores) : [];
  const [only] = given;
  if (given.length !== 1 || !isJsonObject(only)) return status;
  const { value } = only;
  const verdict = VERDICTS.get(value);
  if (verdict !== undefined) return { ...status, success: verdict };
  return typeof value === "number" ? { ...status, finalScore: value } : status;
}
