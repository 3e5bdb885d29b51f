import { createHash } from "node:crypto";
import { isJsonObject, type JsonObject } from "../../schema/index.ts";
import type { BadDay, ServerBehaviour } from "./bad-days.ts";
import type { SeenRequest } from "./start-model-server.ts";

type Answer = JsonObject & { probabilities: { value: string; probability: number }[] };

/** What the endpoint may do instead of answering well. */
const changes = {
  refusal: (decision) => (decision["answers"] = [{ type: "refusal", name: "candidate" }]),
  "choice-missing": (_, answer) => answer.probabilities.pop(),
  "choice-twice": (_, answer) => answer.probabilities.push({ ...answer.probabilities[0]! }),
  "choice-unknown": (_, answer) => (answer.probabilities[0]!.value = "cand-99"),
  "sum-off": (_, answer) => (answer.probabilities[0]!.probability /= 2),
  "not-a-probability": (_, answer) => (answer.probabilities[0]!.probability = -0.2),
  "one-hot": (_, answer) => answer.probabilities.forEach((entry, i) => (entry.probability = i === 0 ? 1 : 0)),
  "other-type": (decision) => (decision["answers"] = [{ type: "predicate", name: null, probability: 0.4 }]),
  "no-answers": (decision) => (decision["answers"] = []),
  "no-usage": (decision) => Reflect.deleteProperty(decision, "usage"),
  reasoning: (decision) =>
    Object.assign(decision["usage"] as JsonObject, { output_tokens_details: { reasoning_tokens: 40 } }),
} as const satisfies Record<string, (decision: JsonObject, answer: Answer) => unknown>;

/** Something the Decisions endpoint does on a bad day. */
export type DecisionDay = keyof typeof changes;

/** Every such day by name. */
export const DECISION_DAYS = Object.keys(changes) as readonly DecisionDay[];

/**
 * A script with which the model server answers `POST /decisions`: a probability for each choice, drawn
 * from a hash of the input and the choice, so the same question gets the same bytes.
 *
 * @param days what happens to request n instead: a day of this endpoint, or one of the server
 */
export function decisionAnswers(
  days: readonly (DecisionDay | BadDay | undefined)[] = [],
): (request: SeenRequest) => BadDay | ServerBehaviour {
  return ({ n, path, body }) => {
    const day = days[n];
    if (!path.endsWith("/decisions")) return "not-found";
    const change = DECISION_DAYS.find((name) => name === day);
    if (day !== undefined && change === undefined) return day as BadDay;
    const decision = hashDecision(body);
    if (change !== undefined) changes[change](decision, (decision["answers"] as Answer[])[0]!);
    return { do: "json", json: decision };
  };
}

function hashDecision(body: JsonObject): JsonObject {
  const questions = Array.isArray(body["questions"]) ? body["questions"].filter(isJsonObject) : [];
  const input = JSON.stringify(body["input"] ?? "");
  return {
    answers: questions.map((question) => {
      const choices = (question["choices"] as JsonObject[]).map(({ value }) => value as string);
      const weights = choices.map((choice) => Math.exp(6 * unit(`${input} ${choice}`)));
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      const probabilities = choices.map((value, i) => ({ value, probability: weights[i]! / total }));
      const best = probabilities.toSorted((a, b) => b.probability - a.probability)[0]!;
      const { value: choice, probability: confidence } = best;
      return { type: "choice", name: question["name"] ?? null, choice, confidence, probabilities };
    }),
    model: body["model"] ?? "",
    usage: {
      input_tokens: Math.ceil(input.length / 4),
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: 1,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: Math.ceil(input.length / 4) + 1,
    },
  };
}

/** From 0 to less than 1. */
function unit(text: string): number {
  return Number.parseInt(createHash("sha256").update(text).digest("hex").slice(0, 12), 16) / 2 ** 48;
}
