import { createHash } from "node:crypto";
import type { JsonObject, TopLogprob } from "../../schema/index.ts";

/** How much of the first token's probability the labels get. */
const LABEL_MASS = 0.95;
const FILLERS = [
  " the",
  "The",
  "We",
  " Based",
  "**",
  "Answer",
  " We",
  "\n",
  "Option",
  " There",
  "It",
  "To",
  "a",
  " a",
  "Both",
  "None",
  "-",
  "1",
  "{",
  " This",
];
const WORDS = ["supported", "contradicted", "left open", "not mentioned", "made likelier", "weakened"];

/** What is wanted of the model, read from a chat body. */
export interface Asked {
  prompt: string;
  model: string;
  logprobs: boolean;
  topLogprobs: number;
  maxTokens: number;
}

export function readAsked(body: JsonObject): Asked {
  const messages = Array.isArray(body["messages"]) ? (body["messages"] as JsonObject[]) : [];
  const user = messages.findLast((message) => message["role"] === "user")?.["content"];
  const limit = body["max_completion_tokens"] ?? body["max_tokens"];
  return {
    prompt: typeof user === "string" ? user : "",
    model: typeof body["model"] === "string" ? body["model"] : "",
    logprobs: body["logprobs"] === true,
    topLogprobs: typeof body["top_logprobs"] === "number" ? body["top_logprobs"] : 0,
    maxTokens: typeof limit === "number" ? limit : 256,
  };
}

/**
 * A whole chat completion drawn from a hash of the prompt: the same prompt gets the same bytes, on any
 * machine. A candidate's score hangs on all of the prompt before the label mapping and on its id, so
 * mappings move labels and leave candidates alone.
 */
export function hashCompletion(asked: Asked): JsonObject {
  const text = asked.logprobs ? undefined : rationale(asked);
  const top = asked.logprobs ? topList(asked) : [];
  const limit = asked.maxTokens * 4;
  const content = text === undefined ? (top[0]?.token ?? "") : text.slice(0, limit);
  const completionTokens = text === undefined ? 1 : Math.ceil(content.length / 4);
  const promptTokens = Math.ceil(asked.prompt.length / 4);
  return {
    id: `chatcmpl-${digest(asked.prompt).slice(0, 12)}`,
    object: "chat.completion",
    created: 0,
    model: asked.model,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content, refusal: null },
        logprobs: asked.logprobs ? { content: [{ ...top[0]!, top_logprobs: top }], refusal: null } : null,
        finish_reason: text !== undefined && text.length <= limit ? "stop" : "length",
      },
    ],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
      prompt_tokens_details: { cached_tokens: 0 },
    },
    system_fingerprint: "fp_loopback",
  } as unknown as JsonObject;
}

function topList({ prompt, topLogprobs }: Asked): TopLogprob[] {
  const mapping = [...prompt.matchAll(/^([A-Z]) = candidate_id: (.+)$/gm)].map(([, label, id]) => ({
    label: label!,
    id: id!,
  }));
  const labels = mapping.length > 0 ? mapping : ["A", "B", "C", "D"].map((label) => ({ label, id: label }));
  const shown = mapping.length > 0 ? prompt.slice(0, prompt.lastIndexOf("Option labels:")) : prompt;
  const state = digest(shown);
  const weights = labels.map(({ id }) => Math.exp(6 * unit(`${state} ${id}`)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const entries = labels.map(({ label }, i) => entry(label, Math.log((LABEL_MASS * weights[i]!) / total)));
  const others = FILLERS.slice(0, Math.max(0, topLogprobs - labels.length));
  const share = (1 - LABEL_MASS) / 2 ** FILLERS.length;
  return [
    ...entries,
    ...others.map((token, i) => entry(token, Math.log(share * 2 ** (FILLERS.length - 1 - i)))),
  ]
    .toSorted((a, b) => b.logprob! - a.logprob!)
    .slice(0, topLogprobs);
}

function entry(token: string, logprob: number): TopLogprob {
  return { token, logprob, bytes: [...Buffer.from(token)] };
}

/** A paragraph a candidate, label-free, as a rationale should be; longer where more may be written. */
function rationale({ prompt, maxTokens }: Asked): string {
  const ids = [...prompt.matchAll(/^candidate_id: (.+)$/gm)].map(([, id]) => id!);
  const state = digest(prompt);
  const sentences = Math.max(1, Math.floor(maxTokens / 50 / Math.max(1, ids.length)));
  const paragraph = (id: string) => {
    const word = (i: number) => WORDS[Math.floor(unit(`${state} ${id} ${i}`) * WORDS.length)]!;
    return Array.from({ length: sentences }, (_, i) => `${id} is ${word(i)} by part ${i + 1}.`).join(" ");
  };
  return ids.length === 0 ? `Nothing is shown (${state.slice(0, 8)}).` : ids.map(paragraph).join("\n");
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** From 0 to less than 1. */
function unit(text: string): number {
  return Number.parseInt(digest(text).slice(0, 12), 16) / 2 ** 48;
}
