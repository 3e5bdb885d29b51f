import { STEP, STEP_SPAN, TRAJECTORY, TRAJECTORY_SPAN } from "../asv-spans/attributes.ts";
import type { OtelSpan } from "./otel-span.ts";

/** Scopes of spans that the toolkit itself wrote, whose content it has redacted. */
const OWN_SCOPES = "@agent-step-value/";

/**
 * What a span is in the `asv.*` set, by its attributes: a backend may have renamed it. `broken` is one that
 * names itself so and cannot be placed.
 */
export function asvRole({ name, attributes }: OtelSpan): "trajectory" | "step" | "broken" | undefined {
  const isPlaced = isId(attributes.get(TRAJECTORY.id));
  if (attributes.has(STEP.id)) return isPlaced && isId(attributes.get(STEP.id)) ? "step" : "broken";
  if (name === TRAJECTORY_SPAN || attributes.has(TRAJECTORY.schemaVersion)) {
    return isPlaced ? "trajectory" : "broken";
  }
  return name === STEP_SPAN ? "broken" : undefined;
}

/** True for a span or log record that the toolkit itself wrote. */
export function isOwnScope({ name }: { readonly name: string }): boolean {
  return name.startsWith(OWN_SCOPES);
}

function isId(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
