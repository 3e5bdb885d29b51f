import type { JsonObject } from "../../schema/index.ts";
import { round6 } from "./python-round.ts";

/** What each kind of cost weighs. All 0 by default, as in the toolkit. */
export interface CostWeights {
  /** A thousand prompt tokens, a thousand completion tokens. */
  promptTokens?: number;
  completionTokens?: number;
  toolCalls?: number;
  /** A second. */
  latency?: number;
  risk?: number;
}

/** `cost_scalar`: the weighted sum of a step's costs, rounded to 6 decimals. */
export function costScalar(cost: JsonObject, weights: CostWeights): number {
  const { promptTokens = 0, completionTokens = 0, toolCalls = 0, latency = 0, risk = 0 } = weights;
  return round6(
    (promptTokens * amount(cost, "prompt_tokens")) / 1000 +
      (completionTokens * amount(cost, "completion_tokens")) / 1000 +
      toolCalls * amount(cost, "tool_calls") +
      (latency * amount(cost, "latency_ms")) / 1000 +
      risk * amount(cost, "risk_score"),
  );
}

function amount(cost: JsonObject, key: string): number {
  const value = Object.hasOwn(cost, key) ? cost[key] : undefined;
  return typeof value === "number" ? value : 0;
}
