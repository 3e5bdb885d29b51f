import type { JsonObject, JsonValue } from "../../schema/index.ts";

/** What the server does with one request. */
export type ServerBehaviour =
  | { do: "answer"; headers?: Record<string, string>; change?: (completion: JsonObject) => void }
  | { do: "json"; json: JsonValue; status?: number; headers?: Record<string, string> }
  | { do: "text"; text: string; status?: number; headers?: Record<string, string> }
  /** Never answers. */
  | { do: "hang" }
  /** Breaks the connection after half of the body. */
  | { do: "reset" };

interface Choice {
  message: JsonObject;
  logprobs: JsonObject | null;
  finish_reason: string;
}
interface Entry {
  token: string;
  logprob: number | null;
  bytes?: number[] | null;
  top_logprobs?: Entry[];
}

const choiceOf = (completion: JsonObject) => (completion["choices"] as unknown as Choice[])[0]!;
const contentOf = (completion: JsonObject) =>
  (choiceOf(completion).logprobs?.["content"] ?? []) as unknown as Entry[];
const changed = (change: (completion: JsonObject) => void): ServerBehaviour => ({ do: "answer", change });
const failed = (
  status: number,
  error: JsonObject,
  headers: Record<string, string> = {},
): ServerBehaviour => ({
  do: "json",
  status,
  headers,
  json: { error },
});
/** Changes the list of a scored answer; what it makes of the first entry is emitted. */
const listed = (change: (entry: Entry, place: number) => void): ServerBehaviour =>
  changed((completion) => {
    for (const first of contentOf(completion)) {
      const top = first.top_logprobs ?? [];
      top.forEach(change);
      Object.assign(first, top[0]);
    }
  });

const behaviours = {
  /** 429 and a wait longer than the client package would honour. */
  "retry-after-120": () =>
    failed(
      429,
      { message: "Slow down.", type: "requests", code: "rate_limit_exceeded" },
      { "retry-after": "120" },
    ),
  "too-many": () => failed(429, { message: "Slow down.", code: "rate_limit_exceeded" }),
  "no-credit": () =>
    failed(429, {
      message: "You exceeded your quota.",
      type: "insufficient_quota",
      code: "insufficient_quota",
    }),
  "wrong-key": () => failed(401, { message: "Incorrect API key provided.", code: "invalid_api_key" }),
  "not-found": () => failed(404, { message: "The model does not exist.", code: "model_not_found" }),
  "bad-request": () => failed(400, { message: "This context is too long.", code: "context_length_exceeded" }),
  "server-error": () => failed(500, { message: "Something went wrong." }),
  hang: () => ({ do: "hang" }),
  reset: () => ({ do: "reset" }),
  "torn-json": () => ({
    do: "text",
    text: '{"choices":[{"index":0,"mess',
    headers: { "content-type": "application/json" },
  }),
  html: () => ({ do: "text", text: "<html>Sign in</html>", headers: { "content-type": "text/html" } }),
  /** A bare -Infinity, which is no JSON. */
  "bare-infinity": () => ({
    do: "text",
    text: '{"choices":[{"index":0,"message":{"content":"A"},"logprobs":{"content":[{"token":"A","logprob":-0.1,"top_logprobs":[{"token":"B","logprob":-Infinity}]}]}}]}',
    headers: { "content-type": "application/json" },
  }),
  /** Everything but the first entry is -9999. */
  sentinels: () => listed((entry, place) => void (entry.logprob = place === 0 ? entry.logprob : -9999)),
  /** The emitted token at 0 and an empty list, as some servers sent for every prompt. */
  "empty-list": () =>
    changed((completion) => {
      for (const first of contentOf(completion)) Object.assign(first, { logprob: 0, top_logprobs: [] });
    }),
  "all-zero": () => listed((entry) => void (entry.logprob = 0)),
  "no-logprobs": () => changed((completion) => void (choiceOf(completion).logprobs = null)),
  "no-logprobs-field": () =>
    changed((completion) => void Reflect.deleteProperty(choiceOf(completion), "logprobs")),
  /** The last label of the list is not in it. */
  "label-missing": () =>
    changed((completion) => {
      for (const first of contentOf(completion)) {
        const top = first.top_logprobs ?? [];
        top.splice(
          top.findLastIndex(({ token }) => /^[A-H]$/.test(token)), // "I" is a filler
          1,
        );
      }
    }),
  /** Labels only with a space before them. */
  "label-variants": () =>
    listed((entry) => {
      if (!/^[A-Z]$/.test(entry.token)) return;
      entry.token = ` ${entry.token}`;
      entry.bytes = [...Buffer.from(entry.token)];
    }),
  reasoning: () =>
    changed((completion) => {
      choiceOf(completion).message["reasoning_content"] = "First, let me think.";
      Object.assign(completion["usage"] as JsonObject, {
        completion_tokens_details: { reasoning_tokens: 12 },
      });
    }),
  refusal: () =>
    changed((completion) => {
      Object.assign(choiceOf(completion), {
        message: { role: "assistant", content: null, refusal: "I cannot help." },
        logprobs: null,
      });
    }),
  "wrong-model": () => changed((completion) => void (completion["model"] = "another-model-1")),
  /** A window that is used up and opens again in 30 s. */
  "used-up-window": () => ({
    do: "answer",
    headers: { "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "30s" },
  }),
  "no-usage": () => changed((completion) => void Reflect.deleteProperty(completion, "usage")),
} as const satisfies Record<string, () => ServerBehaviour>;

/** Something a real server does on a bad day. */
export type BadDay = keyof typeof behaviours;

/** Every bad day by name. */
export const BAD_DAYS = Object.keys(behaviours) as readonly BadDay[];

export function behaviourOf(day: BadDay | ServerBehaviour): ServerBehaviour {
  return typeof day === "string" ? behaviours[day]() : day;
}
