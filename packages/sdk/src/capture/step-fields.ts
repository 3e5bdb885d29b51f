import { isJsonObject, type JsonObject } from "../schema/index.ts";
import { cutAt } from "./bound-json.ts";
import type { Redactor } from "./redactor.ts";
import type { StepStatus } from "./sink.ts";

const ACTION_LIMIT = 8000;
const OBSERVATION_LIMIT = 8000;
const ERROR_LIMIT = 2000;
const TYPE_LIMIT = 200;
const STATUSES: readonly unknown[] = ["ok", "error", "cancelled", "interrupted"] satisfies StepStatus[];

/** An action as recorded: its type, never missing, and redacted fields. */
export function stepAction(action: unknown, redactor: Redactor): JsonObject & { type: string } {
  const fields = redactor.object(action, ACTION_LIMIT);
  const { type } = fields;
  const isNamed = typeof type === "string" && type !== "" && type.length <= TYPE_LIMIT;
  // As a rule it stands as it should: first and short.
  if (isNamed && Object.keys(fields)[0] === "type") return fields as JsonObject & { type: string };
  const { type: _, ...rest } = fields;
  return { type: typeof type === "string" && type !== "" ? cutAt(type, TYPE_LIMIT) : "unknown", ...rest };
}

/** What came back from an action, as recorded. */
export function stepObservation(observation: unknown, redactor: Redactor): JsonObject {
  return redactor.object(observation, OBSERVATION_LIMIT);
}

/** Finite numbers under plain names; anything else is no cost. */
export function stepCost(cost: unknown, latencyMs: number): JsonObject {
  const numbers: JsonObject = {};
  if (isJsonObject(cost)) {
    for (const name of Object.keys(cost)) {
      const value = cost[name];
      if (Number.isFinite(value) && /^[a-z][a-z0-9_]{0,39}$/.test(name)) numbers[name] = value!;
    }
  }
  numbers["latency_ms"] ??= latencyMs;
  return numbers;
}

/** Name and message of whatever was thrown, redacted. */
export function stepError(error: unknown, redactor: Redactor): { name: string; message: string } | undefined {
  if (error === undefined || error === null) return undefined;
  const { name, message } = redactor.object(
    typeof error === "object" ? error : { message: error },
    ERROR_LIMIT,
  );
  return {
    name: typeof name === "string" && /^\w{1,60}$/.test(name) ? name : "Error",
    message: typeof message === "string" ? message : "",
  };
}

/** A status of the closed list, or what the rest says. */
export function stepStatus(status: unknown, failed: boolean): StepStatus {
  if (STATUSES.includes(status)) return status as StepStatus;
  return failed ? "error" : "ok";
}

/** A short lower-case word of an adapter, or undefined for anything else: it is not redacted, so it must not be able to hold a secret. */
export function word(text: unknown): string | undefined {
  return typeof text === "string" && /^[a-z][a-z_-]{0,29}$/.test(text) ? text : undefined;
}
