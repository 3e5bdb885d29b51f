import { isJsonObject, type Block } from "../../schema/index.ts";
import { argumentsText, jsonText } from "../chat/json-text.ts";
import type { SweAgentTurn } from "./swe-agent-record.ts";

/** When the state that a turn keeps was taken. */
export type StateTime = "before_action" | "after_action";

/**
 * Tells the two generations apart. Version 0.x keeps the environment's state as JSON text, taken before the
 * turn's action; 1.x keeps an object, taken after it. Undefined where no turn keeps one.
 */
export function stateTime(turns: readonly SweAgentTurn[]): StateTime | undefined {
  const first = turns.find(({ state }) => isKept(state))?.state;
  if (first === undefined) return undefined;
  return typeof first === "string" ? "before_action" : "after_action";
}

/** The environment before the first turn and after each one; undefined where the file does not say. */
export function environmentStates(
  turns: readonly SweAgentTurn[],
  time: StateTime | undefined,
): { opening: string | undefined; after: (string | undefined)[] } {
  const kept = turns.map(({ state }) => (isKept(state) ? stateText(state) : undefined));
  if (time !== "before_action") return { opening: undefined, after: kept };
  return { opening: kept[0], after: [...kept.slice(1), undefined] };
}

export function environmentBlock(text: string): Block {
  return { kind: "other", name: "environment", text };
}

function isKept(state: unknown): boolean {
  return typeof state === "string"
    ? state.trim() !== ""
    : isJsonObject(state) && Object.keys(state).length > 0;
}

function stateText(state: unknown): string {
  return typeof state === "string" ? argumentsText(state.trim()) : jsonText(state);
}
