import type { JsonObject, JsonValue } from "../../schema/index.ts";
import type { Evaluator } from "../evaluator.ts";
import { DECISION_WORDING, decisionBody } from "./decision-body.ts";
import { LEAST_PROBABILITY, readDecision } from "./read-decision.ts";

/** What decisions are asked through; the OpenAI-compatible model client is one. */
export interface DecisionClient {
  readonly model: string;
  /** Short name of the server, for records. */
  readonly endpoint: string;
  call(call: {
    path: string;
    body: JsonObject;
    tokens: number;
    signal?: AbortSignal;
  }): Promise<{ json: JsonValue }>;
}

/** Most choices the endpoint takes in one question. */
const MOST_CHOICES = 255;

/** What every report that rests on decisions prints. */
export const DECISIONS_CAUTION =
  "Scores are logarithms of the endpoint's own choice probabilities, not token log-probabilities: " +
  "margins compare only with margins of that kind.";

/**
 * Scores candidates by OpenAI's Decisions endpoint, which returns a probability for each supplied
 * choice: the nearest native thing to a belief. Its settings have a kind of their own, so that its
 * numbers never pass for log-probabilities of labels.
 *
 * No label is shown, so label mappings change nothing, and no buffer can be: the endpoint reads the
 * state itself.
 */
export function decisionsEvaluator(client: DecisionClient): Evaluator {
  const { model, endpoint } = client;
  return Object.freeze({
    settings: Object.freeze({
      kind: "decisions",
      model,
      temperature: 0,
      thinking: false,
      topLogprobs: 0,
      endpoint,
      parameters: Object.freeze({
        api: "decisions",
        wording: DECISION_WORDING,
        least_probability: LEAST_PROBABILITY,
      }),
    }),
    capabilities: Object.freeze({
      maxCandidates: MOST_CHOICES,
      usesLabels: false,
      rationale: false,
      deterministic: false,
      slices: true,
    }),
    caution: DECISIONS_CAUTION,
    async score({ question, candidates, blocks, signal }) {
      const body = decisionBody({ question, candidates, blocks });
      const tokens = Math.ceil(JSON.stringify(body).length / 4);
      const { json } = await client.call({
        path: "/decisions",
        body,
        tokens,
        ...(signal !== undefined && { signal }),
      });
      return readDecision(
        json,
        candidates.map(({ id }) => id),
      );
    },
  } satisfies Evaluator);
}
