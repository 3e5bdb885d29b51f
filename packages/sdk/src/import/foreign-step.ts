import type { JsonObject, Step } from "../schema/index.ts";
import type { StateChain, StatePair } from "./state-chain.ts";

/** One step of an imported run. */
export interface ForeignStep {
  readonly stepId: string;
  readonly index: number;
  readonly type: string;
  /** `llm` where a model was called, `tool` where a tool ran; absent for a turn that is both. */
  readonly kind?: "llm" | "tool" | "other";
  readonly cost?: JsonObject;
  /** True where the before-state is not the previous after-state. */
  readonly discontinuity?: boolean;
  readonly failed?: boolean;
}

/** Longest name of an action. */
const LONGEST_TYPE = 200;

/** A step between two states; its type is shown as the states show it. */
export function foreignStep(step: ForeignStep, states: StatePair, chain: StateChain): Step {
  const { stepId, index, type, kind, cost = {}, discontinuity = false, failed = false } = step;
  const shown = chain.redact(type.trim()).slice(0, LONGEST_TYPE);
  return {
    stepId,
    index,
    action: { type: shown === "" ? "unknown" : shown },
    observation: {},
    ...states,
    cost,
    qualityFlags: {},
    ...(discontinuity && { discontinuity: true }),
    ...((kind !== undefined || failed) && {
      extra: { ...(kind !== undefined && { kind }), ...(failed && { status: "error" }) },
    }),
  };
}

/** Only the numbers that are there and finite: a cost that is missing is not zero. */
export function costOf(numbers: Readonly<Record<string, unknown>>): JsonObject {
  const known = Object.entries(numbers).filter(
    (entry): entry is [string, number] =>
      typeof entry[1] === "number" && Number.isFinite(entry[1]) && entry[1] >= 0,
  );
  return Object.fromEntries(known);
}
