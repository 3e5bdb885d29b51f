import { APIConnectionError, APIConnectionTimeoutError, APIError } from "openai";
import { AsvError, type AsvErrorFields } from "../../errors/index.ts";
import { safeWords } from "./safe-words.ts";

/** Where a call went and what must not be repeated about it. */
export interface CallContext {
  endpoint: string;
  model: string;
  timeoutMs: number;
  secrets: readonly string[];
  /** The body that was sent. */
  sent: string;
}

/** One attempt that brought no reply. */
export interface CallFailure {
  /** Without the key, the headers or the text that was sent; it has no cause, since that would hold them. */
  error: AsvError;
  /** Another attempt may do better. */
  retry: boolean;
  /** The server said "too many". */
  throttled: boolean;
}

const RETRIED = new Set([408, 409, 425, 429]);
const REFUSED: Readonly<Record<number, string>> = {
  401: "the key was not accepted; check it",
  402: "the account has no credit left",
  403: "the key may not do this",
  404: "there is no such address or model; check base URL and model",
};
/** Words of a code, type or parameter that mean every call would fail alike. */
const SHARED =
  /unsupported|unknown_parameter|invalid_model|model_not_found|not_found_error|deploymentnotfound|^(top_)?logprobs$|^max_(completion_)?tokens$|^temperature$|^model$/i;
const NO_CREDIT = /insufficient_quota|insufficient_balance|billing|exceeded_current_quota/i;
const CONTENT = /content_filter|content_policy|responsibleai|moderation/i;

/** What a failed attempt means: to be tried again, this call lost, or every later one lost too. */
export function callFailure(error: unknown, timedOut: boolean, context: CallContext): CallFailure {
  if (timedOut || error instanceof APIConnectionTimeoutError) {
    return lost(context, `no answer within ${context.timeoutMs} ms`, { reason: "timeout" }, true);
  }
  if (error instanceof SyntaxError) {
    return lost(context, "the reply is not valid JSON", { flag: "invalid_response" });
  }
  if (error instanceof APIError && error.status !== undefined) return statusFailure(error, context);
  const code = error instanceof APIConnectionError || error instanceof Error ? networkCode(error) : undefined;
  const how = code === undefined ? "the connection failed" : `the connection failed (${code})`;
  return lost(context, how, { reason: "connection", ...(code !== undefined && { code }) }, true);
}

function statusFailure(error: APIError, context: CallContext): CallFailure {
  const status = error.status as number;
  const body = error.error as { metadata?: { reasons?: unknown } } | undefined;
  const tags = [error.code, error.type, error.param].flatMap((tag) => word(tag, context));
  const words = safeWords(error.message.replace(/^\d+ /, ""), context.sent, context.secrets);
  const said = [...tags.slice(0, 2), ...(words === undefined ? [] : [words])].join(": ");
  const fields: AsvErrorFields = { status, ...(tags[0] !== undefined && { code: tags[0] }) };
  const has = (pattern: RegExp) => tags.some((tag) => pattern.test(tag));
  const tell = (what: string, more: AsvErrorFields, retry = false) =>
    lost(
      context,
      `status ${status}, ${what}${said === "" ? "" : ` (${said})`}`,
      { ...fields, ...more },
      retry,
      status === 429 && retry,
    );

  if ((status === 400 || status === 403) && (has(CONTENT) || Array.isArray(body?.metadata?.reasons)))
    return tell("the provider refused the content", { flag: "refusal" });
  if (has(NO_CREDIT)) return tell("the account has no credit left", { fatal: true });
  const refused = REFUSED[status];
  if (refused !== undefined) return tell(refused, { fatal: true });
  if (status < 400) return tell("the server redirects; give its final address", { fatal: true });
  const asked = error.headers?.get("x-should-retry");
  if (asked !== "false" && (asked === "true" || RETRIED.has(status) || status >= 500))
    return tell(status === 429 ? "too many requests" : "the server could not answer", {}, true);
  return tell("the request was not accepted", has(SHARED) ? { fatal: true } : {});
}

function lost(
  { endpoint, model }: CallContext,
  what: string,
  fields: AsvErrorFields,
  retry = false,
  throttled = false,
): CallFailure {
  const message = `${endpoint} (${model}): ${what}.`;
  return {
    error: new AsvError("evaluator_failed", message, { endpoint, model, ...fields }),
    retry,
    throttled,
  };
}

/** A server's code word, if it is one. */
function word(value: unknown, { sent, secrets }: CallContext): string[] {
  if (typeof value !== "string" || !/^[\w.[\]-]{1,60}$/.test(value)) return [];
  return safeWords(value, sent, secrets) === value ? [value] : [];
}

/** ECONNREFUSED and its like, from however deep. */
function networkCode(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const code = Reflect.get(at, "code") as unknown;
    if (typeof code === "string" && /^[A-Z][A-Z\d_]{2,40}$/.test(code)) return code;
  }
  return undefined;
}
