import OpenAI from "openai";
import { AsvError, InvalidArgumentError } from "../../errors/index.ts";
import type { JsonObject, JsonValue } from "../../schema/index.ts";
import { callFailure, type CallContext, type CallFailure } from "./call-failure.ts";
import { systemClock, type Clock } from "./clock.ts";
import { findProvider, type Provider } from "./find-preset.ts";
import { plainFetch, type FetchFunction } from "./plain-fetch.ts";
import { rateLimitHints, type RateLimitHints } from "./rate-limit-headers.ts";
import type { RateLimits } from "./rate-limiter.ts";
import { sharedLimiter } from "./shared-limiter.ts";

/** What {@link createModelClient} is told. */
export interface ModelClientOptions {
  model: string;
  /** Default: the preset's. */
  baseUrl?: string;
  /** Sent in the header and nowhere else. Nothing is read from the environment. */
  apiKey?: string;
  /** A name of `PROVIDER_PRESETS`. Default: found by the base URL's host, else `compatible`. */
  preset?: string;
  /** Short name of the server for records. Default: the provider's name, `local`, or the host name. */
  endpoint?: string;
  /** Limits of our own. Clients of one base URL and model in a process share the strictest. */
  limits?: RateLimits;
  /** For one attempt, its reply read to the end. Default 60,000. */
  timeoutMs?: number;
  /** For one call with all its waiting. Default: none. */
  deadlineMs?: number;
  /** Attempts at one call. Default 8. */
  maxAttempts?: number;
  /** Told before a wait of a second or more, for people to see. */
  onWait?: (wait: { ms: number; reason: string }) => void;
  fetch?: FetchFunction;
  clock?: Clock;
}

/** One call: a body to a path below the base URL. */
export interface ModelCall {
  /** Default `/chat/completions`. */
  path?: string;
  /** Without `model`, which the client adds. */
  body: JsonObject;
  /** Prompt and completion together, estimated; counts against `tokensPerMinute`. Default 0. */
  tokens?: number;
  signal?: AbortSignal;
}

/** A reply as it came. */
export interface ModelReply {
  json: JsonValue;
  attempts: number;
}

/** Limited, retrying calls to one model at one endpoint. */
export interface ModelClient extends Provider {
  readonly model: string;
  /**
   * @throws AsvError `evaluator_failed` when there is no reply, with `fields.fatal` where every later
   * call would fail alike and `fields.flag` where a quality flag says it; the signal's reason once it
   * has fired
   */
  call(call: ModelCall): Promise<ModelReply>;
}

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 60_000;

/**
 * A client for one model behind an endpoint that speaks OpenAI's API, through the `openai` package with
 * its own retries off. Timeouts, broken connections and the statuses 408, 409, 425, 429 and 5xx are
 * tried again, with growing waits and as long as `retry-after` says.
 *
 * @throws InvalidArgumentError, AsvError `unknown_format` for options that cannot be used
 */
export function createModelClient(options: ModelClientOptions): ModelClient {
  const {
    model,
    apiKey,
    timeoutMs = 60_000,
    deadlineMs = Infinity,
    maxAttempts = 8,
    clock = systemClock,
  } = options;
  if (typeof model !== "string" || model === "")
    throw new InvalidArgumentError("model", "a model's name", model);
  for (const [name, value] of Object.entries({ timeoutMs, deadlineMs, maxAttempts }))
    if (!(value >= 1)) throw new InvalidArgumentError(name, "a number, 1 or more", value);
  const provider = findProvider(options.preset, options.baseUrl);
  const endpoint = options.endpoint ?? provider.endpoint;
  const limiter = sharedLimiter(provider.baseUrl, model, options.limits ?? {}, clock);
  const client = openaiClient(provider, apiKey, options.fetch, timeoutMs);
  const secrets = apiKey === undefined || apiKey === "" ? [] : [apiKey];

  const attempt = async (
    path: string,
    body: JsonObject,
    signal: AbortSignal | undefined,
  ): Promise<Attempt> => {
    const timeout = new AbortController();
    let timedOut = false;
    const stop = (): void => timeout.abort(signal?.reason);
    const timer = setTimeout(() => {
      timedOut = true;
      timeout.abort();
    }, timeoutMs);
    signal?.addEventListener("abort", stop, { once: true });
    try {
      const { data, response } = await client
        .post<JsonValue>(path, { body, signal: timeout.signal, maxRetries: 0 })
        .withResponse();
      return { json: data, hints: rateLimitHints(response.headers, clock.date()) };
    } catch (error) {
      const context: CallContext = { endpoint, model, timeoutMs, secrets, sent: JSON.stringify(body) };
      const headers = error instanceof OpenAI.APIError ? error.headers : undefined;
      return {
        failure: callFailure(error, timedOut, context),
        hints: headers === undefined ? {} : rateLimitHints(headers, clock.date()),
      };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    }
  };

  const waitAndTell = (ms: number, reason: string): void => {
    if (ms >= 1000) options.onWait?.({ ms, reason });
  };

  return Object.freeze({
    ...provider,
    endpoint,
    model,
    async call({ path = "/chat/completions", body, tokens = 0, signal }: ModelCall) {
      const latest = clock.now() + deadlineMs;
      const sent = { model, ...body };
      for (let attempts = 1; ; attempts++) {
        waitAndTell(limiter.blockedUntil - clock.now(), "rate limit");
        const lease = await limiter.enter(tokens, signal, latest);
        if (lease === undefined) throw tooLate(endpoint, model, deadlineMs);
        const tried = await attempt(path, sent, signal);
        const { failure, hints } = tried;
        const counted = tokensOf(tried.json);
        lease.end({
          hints,
          throttled: failure?.throttled ?? false,
          ...(counted !== undefined && { tokens: counted }),
        });
        signal?.throwIfAborted();
        if (failure === undefined) return { json: tried.json ?? null, attempts };
        if (!failure.retry || attempts >= maxAttempts) throw failure.error;
        // A wait that the server asked for is the limiter's, and holds every call back.
        if (hints.retryAfterMs !== undefined) continue;
        const ceiling = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempts - 1));
        const wait = ceiling * (0.5 + clock.random() / 2);
        if (clock.now() + wait > latest) throw failure.error;
        waitAndTell(wait, failure.error.message);
        await clock.sleep(wait, signal);
        signal?.throwIfAborted();
      }
    },
  } satisfies ModelClient);
}

interface Attempt {
  json?: JsonValue;
  failure?: CallFailure;
  hints: RateLimitHints;
}

function openaiClient(
  { baseUrl, preset }: Provider,
  apiKey: string | undefined,
  fetch: FetchFunction | undefined,
  timeoutMs: number,
): OpenAI {
  const bearer = preset.auth === "bearer" ? apiKey : undefined;
  return new OpenAI({
    baseURL: baseUrl,
    // Every value that the package would read from the environment is given, so that it reads none. The
    // key itself is not given: `plainFetch` adds it last, so that no error or log of the package has it.
    apiKey: "unused",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: "off",
    maxRetries: 0,
    // Ours covers the body too and fires first.
    timeout: timeoutMs + 10_000,
    fetch: plainFetch(fetch, {
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(preset.auth === "api-key" && apiKey !== undefined && { "api-key": apiKey }),
    }),
    defaultHeaders: { Authorization: null },
    dangerouslyAllowBrowser: true,
  });
}

function tokensOf(json: JsonValue | undefined): number | undefined {
  const total = (json as { usage?: { total_tokens?: unknown } } | null | undefined)?.usage?.total_tokens;
  return typeof total === "number" && Number.isFinite(total) && total >= 0 ? total : undefined;
}

function tooLate(endpoint: string, model: string, deadlineMs: number): AsvError {
  return new AsvError(
    "evaluator_failed",
    `${endpoint} (${model}): the rate limit leaves no place within the deadline of ${deadlineMs} ms.`,
    { endpoint, model, reason: "deadline" },
  );
}
